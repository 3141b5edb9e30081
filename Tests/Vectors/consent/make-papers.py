#!/usr/bin/env python3
"""Writes the papers beside it: a long form in three languages, and one that is written from right to left.

usage: make-papers.py        (the same bytes each time)
"""
import base64
import json
import math
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).parent

LATIN = [
    "Before you take part, you should understand what is done with the data that you give us, who sees it, for how long it is kept, "
    "and how you can change your mind. Nothing in this document limits the rights that the law gives you. Take the time you need, "
    "and ask whoever handed it to you about anything that is unclear.",
    "We collect the answers to the questionnaire, the times at which you gave them, and the measurements of the device that you wear. "
    "We do not collect your location, and we do not read other programs on your telephone.",
    "The data is kept in encrypted form on servers in Frankfurt am Main and in Zürich. Access is limited to four persons who are named "
    "in the register of processing, and each access is written down. Officially affiliated offices find fifty-five efficient flows.",
]
ARABIC = [
    "قبل أن تشارك في هذه الدراسة، يجب أن تفهم ما الذي يُفعل بالبيانات التي تقدمها لنا، ومن يطّلع عليها، وكم من الوقت تُحفظ، "
    "وكيف يمكنك تغيير رأيك. لا شيء في هذه الوثيقة يحدّ من الحقوق التي يمنحك إياها القانون.",
    "نجمع الإجابات عن الاستبيان وأوقات تقديمها وقياسات الجهاز الذي ترتديه. نحن لا نجمع موقعك، ولا نقرأ البرامج الأخرى على "
    "هاتفك (iOS 18 أو Android 15).",
]
JAPANESE = [
    "この研究に参加する前に、提供いただいたデータがどのように扱われ、誰が閲覧し、どのくらいの期間保存され、どのように同意を撤回できるかを"
    "理解していただく必要があります。本書のいかなる内容も、法律が定めるあなたの権利を制限するものではありません。",
    "私たちは、質問票への回答、回答の時刻、および装着していただく機器の測定値を収集します。位置情報は収集せず、電話の他のプログラムも"
    "読み取りません。",
]


def png(width, height, pixel):
    rows = b"".join(b"\0" + b"".join(pixel(x, y) for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def stroke(x, y):
    """A pen's line, in blue on nothing."""
    at = x / 300
    line = 40 + 25 * math.sin(at * 14) * math.exp(-at) + 10 * math.sin(at * 41)
    return bytes((20, 30, 110, max(0, min(255, int((2.6 - abs(y - line)) * 160)))))


SIGNATURE = base64.b64encode(png(300, 80, stroke)).decode()


def text(words):
    return {"text": words}


def spans(parts):
    return [text(part) if isinstance(part, str) else part for part in parts]


def paragraph(*parts):
    return {"type": "paragraph", "spans": spans(parts)}


def heading(level, words):
    return {"type": "heading", "level": level, "spans": [text(words)]}


def items(*entries, start=None):
    block = {"type": "list", "items": [[entry] if isinstance(entry, dict) else entry for entry in entries]}
    return block | ({} if start is None else {"start": start})


def column(caption, **value):
    return {"caption": caption} | value


def signature(role, *columns, fields=()):
    return {"type": "signature", "role": role, "columns": list(columns), "fields": list(fields)}


def cells(*words):
    return [spans([word]) if word else [] for word in words]


def paper(title, language, blocks, **more):
    direction = "rtl" if language == "ar" else "ltr"
    facts = {"title": title, "language": language, "direction": direction, "pageNumber": "Page {page} of {pages}"} | more
    return facts | {"blocks": blocks}


def study():
    title = "Consent to take part in the study “Sleep and Shift Work”"
    blocks = [heading(3, title)]
    blocks.append(
        paragraph("Example University · version ", {"isolated": "2.1"}, " of ", {"isolated": "2026-02-11"}, " · form A-17/2026"))
    blocks += [heading(4, "1 What the study is about"), *map(paragraph, LATIN)]
    blocks.append(
        paragraph(
            "Read more on ",
            {"link": "https://example.org/study?lang=en&page=(1)", "spans": spans(["the page of the study", {"strong": [text(" and its team")]}])},
            ", or write to ", {"link": "mailto:study@example.org", "spans": [text("study@example.org")]}, "."))
    blocks.append(
        items(
            paragraph("your answers, ", {"strong": [text("pseudonymised")]}, " within a day;"),
            [paragraph("the measurements of the device, sampled once a minute and sent once a day over the network of your choice;"),
             items(paragraph("at night only if you agree to it"), paragraph("never at work"))],
            paragraph("the times of both.")))
    blocks.append(items(paragraph("A ninth point."), paragraph("A tenth point, whose number is wider than the one before it."), start=9))
    blocks += [heading(4, "2 Who sees the data"), paragraph(LATIN[2])]
    blocks.append(
        {"type": "table", "header": cells("Recipient", "Purpose", "Kept for"), "alignments": ["natural", "natural", "right"],
         "rows": [
             cells("Institute of Occupational Medicine", "evaluation, and all publications about it; no raw data leaves the institute", "10 years"),
             cells("Ethics committee", "supervision", "2 years"), cells("You", "", "as long as you like")]})
    blocks.append(
        {"type": "quote", "blocks": [
            paragraph("“Consent should be given by a clear affirmative act establishing a freely given, specific, informed and unambiguous indication of the data subject’s agreement.”"),
            paragraph({"emphasis": [text("Regulation (EU) 2016/679, recital 32")]})]})
    blocks.append({"type": "code", "text": "passcode consent withdraw sleep-study\npasscode consent receipt sleep-study"})
    blocks += [heading(4, "٣ النسخة العربية"), *map(paragraph, ARABIC)]
    blocks.append(
        paragraph("رقم الوثيقة ", {"isolated": "A-17/2026"}, " بتاريخ ", {"isolated": "2026-02-11"}, " للمشارك ", {"isolated": "محمد الأحمد"}, "."))
    blocks += [heading(4, "4 日本語版"), *map(paragraph, JAPANESE)]
    blocks.append(items(paragraph("回答は一日以内に仮名化されます。"), paragraph("測定値：脈拍、動き、体温。"), start=1))
    for number in range(5, 15):
        blocks.append(heading(4, f"{number} Further terms of the study"))
        blocks += map(paragraph, LATIN + (ARABIC[:1] if number % 3 == 0 else []) + (JAPANESE[:1] if number % 3 == 1 else []))
    blocks.append({"type": "rule"})
    blocks += [{"type": "pageBreak"}, heading(4, "Signatures"), paragraph("By signing below you confirm that you have read all of it.")]
    blocks.append(
        signature(
            "Participant", column("Signature", image=SIGNATURE, words="Signature: 山田 太郎"),
            column("Printed name", text="山田\u00a0太郎"), column("Date", text="2026-02-11")))
    blocks.append(
        signature(
            "Investigator", column("Signature"), column("Printed name", text="محمد\u00a0الأحمد"), column("Date", text="2026-02-12"),
            fields=[column("E-mail", text="m.alahmad@example.org"), column("Staff number")]))
    return paper(title, "en", blocks, author="Example University", subject="Form A-17/2026", date=1770853000)


def arabic():
    title = "الموافقة على المشاركة في الدراسة"
    blocks = [heading(3, title), heading(4, "1. الغرض"), *map(paragraph, ARABIC)]
    blocks.append(items(paragraph("Android أولا"), paragraph("التاريخ ", {"isolated": "2026-02-11"}), start=1))
    blocks.append(
        {"type": "table", "header": cells("الجهة", "المدة"), "alignments": ["natural", "natural"],
         "rows": [cells("الجامعة", "10 سنوات"), cells("Example Ltd.", "2026-02-11")]})
    blocks += [{"type": "pageBreak"}, heading(4, "التوقيع"), paragraph()]
    blocks.append(signature("المشارك", column("التوقيع"), column("الاسم", text="Marie\u00a0Curie"), column("التاريخ", text="2026-02-11")))
    return paper(title, "ar", blocks) | {"pageNumber": "صفحة {page} من {pages}"}


for name, made in [("study", study()), ("arabic", arabic())]:
    (HERE / f"{name}.paper.json").write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n")
