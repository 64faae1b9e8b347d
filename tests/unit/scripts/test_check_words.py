"""Retired names are found in code, retired words in prose and texts, and neither in the other."""

from pathlib import Path

import pytest

from tests.support.scripts import load

check = load("check_words")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("HeldLog", "RetainedLog"),
        ("next_lane", "applier, checkpoint (not lane)"),
        ("LaneWriter", "CheckpointWriter"),
        ("HTTPCrew", "pool (not crew)"),
        ("_hear", "receive (not hear)"),
        ("_LONGEST_NAME", "MAX, _LENGTH (not LONGEST)"),
        ("MOST", ""),
        ("heartbeat", ""),
        ("plane", ""),
        ("apply_lanes", ""),
    ],
)
def test_whole_names_and_parts(name: str, found: str) -> None:
    assert check.replacement(name) == found


def test_names_are_not_searched_in_prose(tmp_path: Path) -> None:
    source = tmp_path / "module.py"
    source.write_text('"""A lane, in prose."""\n\ncrew = "lane"  # lane\n', "utf-8")
    assert check.retired_in(source) == [f"{source}:3: crew is called pool (not crew)"]


@pytest.mark.parametrize("word", check.RETIRED_WORDS)
@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("module.py", '"""A noun.\n\nIt is {} here."""\n', 3),
        ("module.py", "one = 1\n# It is {} here.\n", 2),
        ("page.md", "# A page\n\nIt is {} here.\n", 3),
        ("page.tsx", "/**\n * It is {} here.\n */\n", 2),
        ("page.ts", "const one = 1; // It is {} here.\n", 1),
        ("page.test.tsx", "test('a page that is {}', () => {{}});\n", 1),
        ("messages.py", '"""A noun."""\n\nEN = {{"one": "It is {} here."}}\n', 3),
        ("pages.ts", "const page = {{\n  title: {{ zh: '一', en: 'It is {} here.' }},\n}};\n", 2),
        ("en.json", '{{\n  "one": "It is {} here."\n}}\n', 2),
    ],
)
def test_each_retired_word_of_prose_is_found(tmp_path: Path, word: str, name: str, text: str, line: int) -> None:
    if (name, word) == ("messages.py", "lane"):
        word = "lanes"  # `lane` is a column in statements of SQL
    source = tmp_path / name
    source.write_text(text.format(word.capitalize()), "utf-8")
    assert check.retired_prose_in(source) == [f"{source}:{line}: {word.capitalize()} (use {check.RETIRED_WORDS[word]})"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("module.py", 'told = "nobody"\n"""A noun: `lanes`, \'everybody\', heartbeat, untold, log-let-go."""\n'),
        ("page.md", "Set `lanes` ([how](decisions/0023-parallel-apply.md)); *apply lanes*.\n\n```\nlanes: 4\n```\n"),
        ("page.ts", "const told = 'https://told.example'; // nothing\n"),
        ("store.py", '_READ = "SELECT lane FROM checkpoint"\n_FLAG = "beside"\n'),
        ("en.json", '{\n  "told": { "nobody": "Apply lanes of {{lane}}" }\n}\n'),
    ],
)
def test_names_and_quotations_are_allowed(tmp_path: Path, name: str, text: str) -> None:
    source = tmp_path / name
    source.write_text(text, "utf-8")
    assert check.retired_prose_in(source) == []


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("feature/locales/en.json", True),
        ("shared/locales/en/state.json", True),
        ("feature/locales/zh.json", False),
        ("shared/locales/zh/state.json", False),
        ("package.json", False),
    ],
)
def test_english_locales_are_checked(path: str, found: bool) -> None:
    assert check.is_english_locale(Path(path)) is found


@pytest.mark.parametrize(
    ("text", "found", "term"),
    [
        ("先装载到旁边的表", "旁边的", "影子表 (shadow table)"),
        ("重新全量加载", "加载", "装载 (load)"),
        ("跳过错误行", "错误行", "异常行 (row error)"),
        ("控制面没有运行", "控制面", "控制平面 (control plane)"),
        ("采集代理失联", "采集代理", "代理, 容器 (agent, container)"),
        ("从原位置继续", "原位置", "位点 (position)"),
    ],
)
def test_retired_chinese_is_found(tmp_path: Path, text: str, found: str, term: str) -> None:
    source = tmp_path / "zh.json"
    source.write_text(f'{{\n  "one": "{text}"\n}}\n', "utf-8")
    assert check.retired_chinese_in(source) == [f"{source}:2: {found} (use {term})"]


def test_other_chinese_and_code_are_allowed(tmp_path: Path) -> None:
    source = tmp_path / "page.zh.md"
    source.write_text("正在加载。内容加载失败。控制面板的位置。普通账户。不用`控制面`。\n", "utf-8")
    assert check.retired_chinese_in(source) == []


def test_names_in_modules_of_the_console_have_no_retired_part(tmp_path: Path) -> None:
    module = tmp_path / "page.tsx"
    module.write_text(
        "// whom to tell\n"
        "const isTold = useTell({ lanes: 'told' });\n"
        "return <b title={t('heard')}>nobody</b> && isPlane(goOn) && listen.hearLater();\n"
    )
    found = [line.partition(":")[2].partition(" is called")[0] for line in check.retired_in_script(module)]
    assert found == ["2: isTold", "2: useTell", "3: hearLater"]
