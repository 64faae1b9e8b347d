"""What is shipped fits its own rules, and built-in dictionaries name texts that there are."""

from zcbus.control.bootstrap import build_catalogue
from zcbus.control.features.dictionary.built_in import BUILT_IN
from zcbus.control.features.translation.rules import fault_of
from zcbus.control.features.translation.shipped import shipped_texts
from zcbus.control.platform.language import LANGUAGES


def test_every_shipped_text_could_be_a_custom_one() -> None:
    shipped = shipped_texts(build_catalogue())
    faults = {
        (text.key, language): fault_of(own, text, language)
        for text in shipped.values()
        for language in LANGUAGES
        if (own := text.text(language)) is not None
    }
    assert {key: fault for key, fault in faults.items() if fault} == {}
    assert max(len(key) for key in shipped) <= 250


def test_items_of_built_in_dictionaries_are_texts_of_both_languages() -> None:
    shipped = shipped_texts(build_catalogue())
    for dictionary in BUILT_IN.values():
        named = {key for keys in dictionary.items.values() for key in keys} | set(dictionary.text_keys)
        assert {key for key in named if key not in shipped or None in (shipped[key].zh, shipped[key].en)} == set()


def test_texts_that_are_shown_twice_are_shipped_alike() -> None:
    shipped = shipped_texts(build_catalogue())
    for dictionary in BUILT_IN.values():
        for keys in dictionary.items.values():
            assert len({(shipped[key].zh, shipped[key].en) for key in keys}) == 1
