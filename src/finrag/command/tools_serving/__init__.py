"""Any agent as the system under test: tools and questions over the Model Context Protocol."""
