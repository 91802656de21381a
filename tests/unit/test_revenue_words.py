"""The rules of words, each at its edge; companies and lines are invented."""

import pytest

from finrag.revenue.products import products
from finrag.revenue.words import Block, Leaf, read_lines


def block(text, kind="paragraph", item="ITEM_8", note="revenue", path=("Note 2. Revenue",)):
    return {"text": text, "kind": kind, "path": path, "item": item, "note": note}


def table():
    return block("Lamps (1)\t10\nDesks (2)\t20", "table")


def filing(*blocks):
    return [
        Block(f"b{at}", "d0", at, of["kind"], of["text"], of["path"], of["item"], of["note"])
        for at, of in enumerate(block(each) if isinstance(each, str) else each for each in blocks)
    ]


def read(labels, *blocks, **more):
    """Kind and text of each line's first reading, by label."""
    leaves = [each if isinstance(each, Leaf) else Leaf(each, each) for each in labels]
    found = read_lines(leaves, filing(*blocks), **more)
    return {
        leaf.line_id: (first.kind, " ".join(quote.text for quote in first.quotes))
        for leaf in leaves
        for first in found[leaf.line_id][:1]
    }


def test_a_footnote_serves_the_line_of_its_mark_in_its_own_table_only():
    blocks = (
        table(),
        block("(1) Includes sales of glass lamps.", "footnote"),
        block("(2) Includes sales of oak desks.", "list"),
        "Assets by line were as follows:",
        table(),
        block("(1) Includes products held for lamps abroad.", "footnote"),
    )
    lines = [Leaf("Lamps", "Lamps", ("1",), 0), Leaf("Desks", "Desks", ("(2)",), 0)]
    assert read(lines, *blocks) == {
        "Lamps": ("footnote", "(1) Includes sales of glass lamps."),
        "Desks": ("footnote", "(2) Includes sales of oak desks."),
    }


def test_footnotes_end_at_the_next_heading():
    note = block("(1) Includes sales of glass lamps.", "footnote")
    line = Leaf("Lamps", "Lamps", ("1",), 0)
    assert read([line], table(), "Amounts are in millions.", note)
    assert not read([line], table(), block("Assets", "heading"), note)


@pytest.mark.parametrize(
    "note",
    [
        "(1) Includes sales of $12 to a related party.",
        "(1) Previously referred to as Lights, which includes lamps.",
        "(1) Products acquired in fiscal 2024.",
    ],
)
def test_a_footnote_that_tells_another_thing_describes_nothing(note):
    assert not read([Leaf("Lamps", "Lamps", ("1",), 0)], table(), block(note, "footnote"))


def test_one_block_holds_several_footnotes():
    notes = block("(1) Includes glass lamps. (2) Includes oak desks and chairs.", "footnote")
    assert read([Leaf("Desks", "Desks", ("2",), 0)], table(), notes) == {
        "Desks": ("footnote", "(2) Includes oak desks and chairs.")
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "Lamps includes desk lamps and lanterns.",
        "Our Lamps segment primarily consists of desk lamps and lanterns.",
        "Revenue from lamps is derived from the sale of lanterns.",
        "Lamp revenues are comprised of desk lamps and lanterns.",
        "We generate lamp revenue by selling desk lamps and lanterns.",
        "Lamps – Lamps offerings include desk lamps and lanterns.",
        "We earn revenue from lamps, which include desk lamps and lanterns.",
    ],
)
def test_a_definition_has_the_line_as_its_subject(sentence):
    assert read(["Lamps"], sentence)["Lamps"] == ("definition", sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Non-lamps revenue includes desks and chairs.",
        "Other sections of this report may include descriptions of lamps.",
        "Desks includes lamps and chairs.",
        "Lamps revenue does not include desks and chairs.",
        "Lamps represents 5% of our revenue.",
        "Lamps revenue includes an increase in prices of $3 million.",
        "Cost of lamps revenue includes glass and freight.",
        "Lamps includes restructuring expenses and impairments.",
        "Lamps revenue increased, which includes sales of desk lamps.",
    ],
)
def test_what_is_no_definition_of_the_line_gives_no_reading(sentence):
    assert not read(["Lamps"], sentence)


def test_a_definition_is_continued_until_it_turns_to_another_matter():
    text = (
        "Lamps consists of desk lamps. These products include lanterns. "
        "We recognize revenue when lamps are delivered. These include torches."
    )
    assert read(["Lamps"], text)["Lamps"][1] == (
        "Lamps consists of desk lamps. These products include lanterns."
    )


def test_a_definition_ends_before_the_definition_of_a_sibling():
    text = "Lamps consists of desk lamps. Our desks include oak desks and chairs."
    assert read(["Lamps", "Desks"], text) == {
        "Lamps": ("definition", "Lamps consists of desk lamps."),
        "Desks": ("definition", "Our desks include oak desks and chairs."),
    }


def test_a_line_does_not_take_the_text_of_one_whose_name_is_longer():
    text = "Lamp services includes cleaning and repair."
    assert list(read(["Lamps", "Lamp services"], text)) == ["Lamp services"]
    assert list(read(["Lamps"], text)) == ["Lamps"]


def test_a_label_is_not_shortened_to_what_two_lines_share():
    text = "Lamp revenue includes glass and oak."
    assert not read(["Lamp sales", "Lamp leasing"], text)
    assert list(read(["Lamp sales", "Desk leasing"], text)) == ["Lamp sales"]


def test_a_bare_label_needs_the_word_revenue_or_a_note_on_revenue():
    business = {"item": "ITEM_1", "note": None, "path": ("Item 1", "Business")}
    assert not read(["Other"], block("Other includes parts and repairs.", **business))
    assert read(["Other"], block("Other revenue includes parts and repairs.", **business))
    assert read(["Other"], "Other includes parts and repairs.")


def test_a_list_is_read_to_its_end_over_a_page_break():
    blocks = (
        "Lamps revenues consist of revenues from:",
        block("•desk lamps; and", "list"),
        block("57", "furniture"),
        block("Table of Contents", "furniture"),
        block("•lanterns.", "list"),
        "Desks are sold by partners.",
    )
    assert read(["Lamps"], *blocks) == {
        "Lamps": ("list", "Lamps revenues consist of revenues from: •desk lamps; and •lanterns.")
    }


def test_a_lead_in_without_its_list_is_no_text():
    assert not read(["Lamps"], "Lamps revenues consist of revenues from:", "The end.")


def test_a_heading_equal_to_the_line_leads_in_its_text():
    business = {"item": "ITEM_1", "note": None, "path": ("Business", "Products")}
    blocks = (
        block("Lamps Segment", "heading", **business),
        block("We sell desk lamps and lanterns to hotels.", **business),
        block("Desks", "heading", **business),
        block("We sell oak desks.", **business),
    )
    assert read(["Lamps"], *blocks)["Lamps"] == (
        "heading",
        "We sell desk lamps and lanterns to hotels.",
    )


def test_a_heading_over_a_change_or_a_rival_leads_in_nothing():
    results = {"item": "ITEM_7", "note": None, "path": ("Results",)}
    change = block("Lamps revenue increased as we sell more lanterns.", **results)
    assert not read(["Lamps"], block("Lamps", "heading", **results), change)
    offer = block("We sell lanterns to hotels. Revenue increased as we sell more.", **results)
    assert read(["Lamps"], block("Lamps", "heading", **results), offer)["Lamps"] == (
        "heading",
        "We sell lanterns to hotels.",
    )
    rivals = {"item": "ITEM_1", "note": None, "path": ("Business", "Competition", "Lamps")}
    text = block("We sell against many makers of lamps.", **rivals)
    assert not read(["Lamps"], block("Lamps", "heading", **rivals), text)


@pytest.mark.parametrize("head", ["Lamps – ", "Lamps: ", "Lamps. ", "•Lamps (lights) — "])
def test_a_run_in_heading_leads_in_its_text(head):
    text = f"{head}We sell desk lamps and lanterns to hotels."
    assert read(["Lamps"], text) == {"Lamps": ("heading", text)}


def test_an_alias_of_the_filing_names_the_line():
    blocks = ("We report Amber Web Lamps (“AWL”) apart.", "The AWL segment consists of web lamps.")
    assert read(["AWL"], *blocks)
    assert read(["Amber Web Lamps"], *blocks)
    assert not read(["Amber Web Lamps"], blocks[1])


def test_lines_of_one_label_are_distinguished_by_their_segments():
    lines = [Leaf("a", "Other", segment="Lamps"), Leaf("b", "Other", segment="Desks")]
    text = "Other revenue includes oak chairs."
    assert not read(lines, text)
    assert list(read(lines, block(text, path=("Revenue", "Desks")))) == ["b"]
    assert list(read(lines, "Lamps other revenue includes oak chairs.")) == ["a"]


def test_a_segment_that_names_the_product_serves_it_as_kind_segment():
    text = "The Home segment includes lamps, desks and chairs."
    lines = [Leaf("Lamps", "Lamps", segment="Home"), Leaf("Tents", "Tents", segment="Home")]
    assert read(lines, text) == {"Lamps": ("segment", text)}


def test_a_label_is_data_and_no_pattern():
    assert not read(["L.*s (", "[", "Lamps|Desks"], "Lamps includes desk lamps and lanterns.")


def test_places_give_the_tier():
    text = "Lamps includes desk lamps and lanterns."
    line = Leaf("Lamps", "Lamps", (), 1)
    own = read_lines([line], filing(text, table()))["Lamps"][0]
    note = read_lines([Leaf("Lamps", "Lamps")], filing(text))["Lamps"][0]
    risk = filing(block(text, item="ITEM_1A", note=None, path=("Risk",)))
    assert (own.tier, note.tier) == (1, 2)
    assert read_lines([Leaf("Lamps", "Lamps")], risk)["Lamps"][0].tier == 0


def test_quotes_are_spans_of_their_blocks():
    text = "We light rooms.  Lamps\nincludes  desk lamps. These products  include:"
    blocks = filing(text, block("\t• lanterns;\n", "list"))
    (reading,) = read_lines([Leaf("Lamps", "Lamps")], blocks)["Lamps"]
    spans = [
        blocks[int(quote.block_id[1:])].text[quote.start : quote.end] for quote in reading.quotes
    ]
    assert spans == ["Lamps\nincludes  desk lamps.", "These products  include:", "• lanterns;"]
    assert [" ".join(span.split()) for span in spans] == [quote.text for quote in reading.quotes]


def test_only_allowed_blocks_are_quoted():
    blocks = ("Lamps includes desk lamps.", "Lamps includes lanterns and torches.")
    assert read(["Lamps"], *blocks, allowed={"b1"}) == {"Lamps": ("definition", blocks[1])}


def test_products_are_the_names_that_a_description_lists():
    text = "Lamps includes Glow®, Shine Pro, and such goods as we may find in the year behind us."
    (reading,) = read_lines([Leaf("Lamps", "Lamps")], filing(text))["Lamps"]
    assert reading.products == ("Glow", "Shine Pro")


def test_a_wrong_table_or_a_line_twice_is_refused():
    with pytest.raises(ValueError, match="'Lamps'"):
        read_lines([Leaf("Lamps", "Lamps", ("1",), 0)], filing("No table."))
    with pytest.raises(ValueError, match="'Lamps'"):
        read_lines([Leaf("Lamps", "Lamps"), Leaf("Lamps", "Desks")], filing("No table."))


def test_a_category_that_a_note_mentions_and_defines_is_described():
    text = "The Company also reports an “all other” category that includes parts and repairs."
    assert read(["All other"], text) == {"All other": ("definition", text)}
    assert not read(["Other"], "We sell lamps and other, which includes parts and repairs.")


def test_one_sentence_may_tell_of_several_lines():
    text = "Home: Lamps (desk lamps, lanterns); desk chairs, which include stools; and others."
    assert read(["Lamps", "Desk chairs", "Home"], text) == {
        "Lamps": ("definition", text),
        "Desk chairs": ("definition", text),
        "Home": ("heading", text),
    }


def test_a_sentence_about_what_we_sell_as_another_line_does_not_continue_one():
    text = "Lamps is our brand of desk lamps. We sell lanterns too. We sell chairs as Desk chairs."
    assert read(["Lamps", "Desk chairs"], text)["Lamps"][1] == text[:55]


def test_the_lead_in_of_a_table_is_its_own_up_to_the_table_before():
    plain = {"item": None, "note": None, "path": ()}
    text = block("Other consists of separately billed repairs.", **plain)
    lead = block("The table below shows revenue by class.", **plain)
    line = [Leaf("Other", "Other", (), 2)]
    assert read(line, text, lead, table()) == {"Other": ("definition", text["text"])}
    assert not read([Leaf("Other", "Other", (), 2)], text, table(), table())


def test_accents_marks_and_number_do_not_part_a_label_from_its_text():
    text = "Décor & Lamp® products include vases and desk lamps."
    assert read(["Total Decor and lamps (1)"], text)["Total Decor and lamps (1)"][1] == text


def test_a_footnote_may_say_since_when_a_line_is_sold():
    note = "(1) Includes lanterns, first sold in fiscal 2024."
    line = Leaf("Lamps", "Lamps", ("1",), 0)
    assert read([line], table(), block(note, "footnote")) == {"Lamps": ("footnote", note)}


@pytest.mark.parametrize(
    ("label", "is_defined"),
    [("LOSH lamps", True), ("L4SH lamps", True), ("LOW lamps", False), ("Losh lamps", False)],
)
def test_a_footnote_may_spell_out_an_abbreviation(label, is_defined):
    note = block("*Light of sun and halogen", "footnote")
    assert bool(read([Leaf(label, label, ("*",), 0)], table(), note)) == is_defined


def test_a_page_may_cut_the_name_of_a_line():
    blocks = (
        "We sell lamps in many rooms. Desk",
        block("12", "furniture"),
        "lamps consists of reading lamps and lanterns. Chairs are sold too.",
    )
    assert read(["Desk lamps"], *blocks) == {
        "Desk lamps": ("definition", "Desk lamps consists of reading lamps and lanterns.")
    }


def test_one_sentence_may_define_several_lines_at_once():
    labels = ["Isles, Capes & Bays", "Hills"]
    text = (
        "Our segments (Isles, Capes and Bays; and Hills) derive most of their sales from oak lamps."
    )
    assert read(labels, text) == dict.fromkeys(labels, ("segment", text))
    assert not read(labels, f"Our rivals in the hills and {text[14:]}")


def test_a_note_may_use_any_words_below_the_name_of_a_line():
    text = "Hotels pay for these by the night."
    assert read(["Lamps"], block("LAMPS", "heading"), text) == {"Lamps": ("heading", text)}
    results = {"item": "ITEM_7", "note": None, "path": ("Results",)}
    assert not read(["Lamps"], block("Lamps", "heading", **results), block(text, **results))
    due = "Revenue is recognized by the night."
    assert not read(["Lamps"], block("Lamps", "heading"), due)


def test_a_bracket_defines_the_name_before_it():
    text = "Home consists of the Lamps range (“Lamps,” comprising desk lamps) and of chairs."
    assert read(["Lamps range"], text) == {"Lamps range": ("definition", text)}


def test_the_last_of_several_lines_stands_behind_and():
    text = "We offer: Rooms (e.g., halls), Lamps and Shades (e.g., nets) and Desks (e.g., oak)."
    labels = ["Rooms", "Lamps / Shades / Other", "Desks"]
    assert read(labels, text) == dict.fromkeys(labels, ("definition", text))


def test_what_a_line_also_sells_comes_behind_what_it_sells():
    assert read(["Lamps"], "Lamps sells desk lamps.", "Lamps also sells oil and wicks.") == {
        "Lamps": ("definition", "Lamps sells desk lamps.")
    }


def test_a_lead_in_that_says_what_the_line_is_needs_no_list():
    text = "Glow is a small lamp with one wick that is made to light the following rooms:"
    assert read(["Glow"], text, table()) == {"Glow": ("definition", text)}


def test_a_category_of_revenue_and_expenses_is_one_of_revenue():
    text = (
        "We have an “all other” category that includes revenue, expenses and charges of new lamps."
    )
    assert read(["All other"], text) == {"All other": ("definition", text)}
    assert not read(["All other"], text.replace("revenue, ", ""))


HOME = "The home segment includes lamps, desks and chairs."
GARDEN = "The garden and yard segment includes tents, tables and home lamps."


def test_a_segment_s_text_is_no_definition_of_a_product_named_after_it():
    assert not read(["Home sales", "Garden sales"], f"{HOME} {GARDEN}")
    text = f"{HOME[:-1]} and is where home sales arise."
    assert read(["Home sales"], text) == {"Home sales": ("segment", text)}
    own = "Home sales consist of sales of lamps and desks."
    assert read(["Home sales"], text, own)["Home sales"] == ("definition", own)
    assert read(["Home"], HOME) == {"Home": ("definition", HOME)}
    assert read(["Home revenues"], HOME) == {"Home revenues": ("definition", HOME)}


def test_a_text_ends_before_a_sentence_about_another_segment():
    own = "Home products include desk lamps."
    for first in (own, "Home – Lamps for rooms."):
        assert read(["Home products"], f"{first} {GARDEN}")["Home products"][1] == first
        same = "The segment also includes chairs."
        assert read(["Home products"], f"{first} {same}")["Home products"][1] == f"{first} {same}"
    assert read(["Home"], block("Home", "heading"), own, GARDEN)["Home"][1] == own


def test_the_heading_of_a_segment_is_not_that_of_a_product_named_after_it():
    text = "We sell lamps, desks and chairs to hotels."
    assert not read(["Home sales"], block("Home Segment", "heading"), text)
    assert read(["Home sales"], block("Home", "heading"), text)["Home sales"] == ("heading", text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It consists of global sales of lamps, desks, and other services.", "lamps|desks"),
        ("It includes products that support Hips, Knees, and Hands.", "Hips|Knees|Hands"),
        ("It includes sales from sites participating in Alpha, Beta, and Ivy.", "Alpha|Beta|Ivy"),
        ("It includes a range of goods, such as lamps and oak desks.", "lamps|oak desks"),
        ("Lights (including the Glow 4 lamp), as well as others.", "Glow 4 lamp"),
        ("It includes sites, toolbars (and lamps, etc.) and the like.", "sites"),
        ("It includes annual and monthly lamps.", "monthly lamps"),
        ("It includes virtual, augmented, and mixed lamps.", "mixed lamps"),
        ("It includes sales of lamps to sellers, vendors, and authors.", ""),
        ("It includes the results of our lamps.", ""),
        ("It benefits from trends including the continued rise of lamps.", ""),
        ("It includes Contracts with Customers (“ASC 606”), lamps and desks.", ""),
        ("Glow is indicated for ills including colds and coughs.", ""),
        ("It includes lamps, desks, and tents which are large.", "lamps|desks"),
        ("It includes deliveries of new lamps, used desks, and tents.", "lamps|used desks|tents"),
        ("It includes revenue, expenses, and in-store lamps.", "in-store lamps"),
    ],
)  # fmt: skip
def test_products_are_plain_names_or_none(text, names):
    assert products([text]) == tuple(names.split("|") if names else ())


def test_products_are_named_once_and_no_more_than_twenty():
    assert products(["It includes Glow®, Glow and glow."]) == ("Glow",)
    many = ", ".join(f"lamp {number}" for number in range(30))
    assert len(products([f"It includes {many}."])) == 20
