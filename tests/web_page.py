"""Reads a page strictly: tags closed in order, ids once, no inline code, forms that carry their token."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "img", "input", "br", "hr", "option"})  # `option` may be left open
FORBIDDEN = frozenset({"style", "srcdoc", "formaction"})


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Form:
    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """A page taken apart; raises AssertionError where it is not as it must be."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = text
        self.open: list[Element] = []
        self.elements: list[Element] = []
        self.forms: list[Form] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open, [e.tag for e in self.open]
        self._check()

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        assert not FORBIDDEN & set(names), (tag, names)
        assert not any(name.startswith("on") for name in names), (tag, names)
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        assert tag != "style"
        assert tag != "script" or element.attributes.get("src", "").startswith("/static/"), element
        if tag == "form":
            self.forms.append(Form(element.attributes.get("method", "get"), element.attributes["action"]))
        if tag in {"input", "select", "textarea"} and self.forms and "name" in element.attributes:
            self.forms[-1].fields.setdefault(element.attributes["name"], element.attributes.get("value", ""))
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        if tag in VOID:
            self.handle_starttag(tag, attrs)
        else:
            self.handle_starttag(tag, attrs)
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data):
        self.text += data
        for element in self.open:
            element.text += data

    def named(self, tag: str) -> list[Element]:
        return [e for e in self.elements if e.tag == tag]

    def links(self) -> list[str]:
        return [e.attributes["href"] for e in self.named("a")]

    def form(self, action: str) -> Form:
        return next(f for f in self.forms if f.action == action and f.method == "post")

    def _check(self) -> None:
        ids = [e.attributes["id"] for e in self.elements if "id" in e.attributes]
        assert len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)
        for label in self.named("label"):
            if "for" in label.attributes:
                assert label.attributes["for"] in ids
        labelled = {e.attributes.get("for") for e in self.named("label")}
        for field_ in self.elements:
            kind = field_.attributes.get("type")
            if field_.tag in {"input", "select", "textarea"} and kind not in {"hidden", "radio", "checkbox"}:
                within = kind is None and "maxlength" in field_.attributes  # its label holds it
                named = within or field_.attributes.get("id") in labelled
                assert named, field_
        for reference in ("aria-labelledby", "aria-describedby"):
            for e in self.elements:
                assert e.attributes.get(reference, ids and ids[0]) in ids or reference not in e.attributes
        assert len(self.named("h1")) == 1
        assert len(self.named("main")) == 1
        assert self.named("html")[0].attributes["lang"]
        assert self.named("title")[0].text.strip()
        for e in self.named("th"):
            assert e.attributes.get("scope") in {"col", "row"}
        for svg in self.named("svg"):
            assert svg.attributes.get("aria-label") or svg.attributes.get("aria-hidden") == "true"
