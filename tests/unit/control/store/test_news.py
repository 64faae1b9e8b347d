"""Threads that wait for news."""

from zcbus.control.store.news import News


def test_what_is_told_while_somebody_listens_is_heard() -> None:
    news = News()
    with news.heard("one") as one, news.heard("other") as other:
        news.tell(["one"])
        assert one.wait(5)
        assert not other.is_set()


def test_nothing_is_heard_before_and_after() -> None:
    news = News()
    news.tell(["one"])
    with news.heard("one") as heard:
        assert not heard.is_set()
    news.tell(["one"])
    assert not heard.is_set()


def test_closing_lets_go_who_listens_and_who_comes_later() -> None:
    news = News()
    with news.heard("one") as early:
        news.close()
        assert early.wait(5)
    with news.heard("one") as late:
        assert late.is_set()
