"""Values of answers and rankings, and what follows from them: pure functions of tables."""
