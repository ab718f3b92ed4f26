import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compileMatcher } from "../../../src/rules/compile/matcher.ts";
import { Evaluation } from "../../../src/rules/evaluation/evaluation.ts";
import { fold, tidy } from "../../../src/text/fold.ts";
import { messageReceived } from "../../support/events.ts";

type Row = readonly [operator: string, operand: string, text: string, holds: boolean, why: string];

const ROWS: readonly Row[] = [
  // upper and lower case
  ["equals", "ΟΔΟΣ", "οδος", true, "a final sigma is a sigma"],
  ["contains", "σας", "ΕΣΑΣ ΣΑΣ", true, "in the middle of a text, too"],
  ["contains_word", "λόγος", "Ο ΛΌΓΟΣ ΤΟΥ", true, "with accents"],
  ["equals", "strasse", "Straße", true, "ß is ss"],
  ["equals", "STRAẞE", "strasse", true, "so is the capital ẞ"],
  ["contains_word", "grüße", "viele GRÜSSE!", true, "written in capitals it is SS"],
  ["equals", "istanbul", "İSTANBUL", true, "the capital with a dot is an i"],
  ["equals", "ISPARTA", "ısparta", true, "the small one without is one, too"],
  ["contains_word", "iade", "İADE istiyorum", true, "as the word's first letter"],
  ["contains_word", "IADE", "iade istiyorum", true, "whoever wrote in capitals"],
  ["equals", "ПРИВЕТ", "привет", true, "Cyrillic"],
  ["equals", "ﬁne", "FINE", true, "a ligature is its letters"],
  ["equals", "ŉ", "ʼn", true, "so is what looks like one"],
  ["starts_with", "ǆ", "Ǆep", true, "a letter of two has three cases"],
  ["equals", "ᾳ", "ΑΙ", true, "an iota below is one beside"],
  ["equals", "επιστροφή", "ΕΠΙΣΤΡΟΦΗ", true, "Greek capitals have no accents"],
  ["contains_word", "Μάιος", "ΤΟΝ ΜΑΪΟΣ", true, "or a dialytika in place of an accent"],
  ["contains_word", "ΤΕΛΟΣ", "τέλος!", true, "whichever has the capitals"],
  ["contains", "ή", "επιστροφή", true, "in a part of a word"],
  ["equals", "τέλος", "τέλη", false, "but a letter is a letter"],
  // letters that writers use for each other, marks that they omit
  ["contains_word", "еще", "ЕЩЁ раз", true, "Russian is written with and without ё"],
  ["contains_word", "мой", "мои", false, "but never without the mark of й"],
  ["equals", "شكرا", "شكراً", true, "Arabic without vowel marks"],
  ["contains_word", "مُحَمَّد", "يا محمد!", true, "whichever has them"],
  ["contains_word", "مرحبا", "مرحبــــا بكم", true, "a stretched word"],
  ["equals", "الغاء", "إلغاء", false, "a hamza is part of its letter"],
  ["equals", "على", "علي", false, "alef maqsura and yeh are two letters"],
  ["contains_word", "الكتاب", "والكتاب", false, "an Arabic prefix belongs to the word"],
  ["contains_word", "کتاب", "كتاب", true, "kaf of an Arabic keyboard"],
  ["equals", "بازی", "بازي", true, "yeh of an Arabic keyboard"],
  ["equals", "שלום", "שָׁלוֹם", true, "Hebrew without points"],
  ["contains_word", "שָׁלוֹם", "שלום לך", true, "whichever has them"],
  ["equals", "a b", "a \u0640 b", true, "without a second space in its place"],
  ["equals", "manana", "mañana", false, "ñ is no n"],
  ["equals", "gruesse", "Grüße", false, "ü is no ue"],
  ["contains_word", "hoan tien", "hoàn tiền", false, "a Vietnamese tone is part of its letter"],
  ["equals", "e", "é", false, "a French accent, too"],
  ["equals", "zolc", "żółć", false, "and a Polish mark"],
  ["contains_word", "कम", "कमी", false, "a Hindi vowel sign is part of the word"],
  ["equals", "カ", "ガ", false, "voiced kana are other kana"],
  // digits of other scripts
  ["equals", "2", "٢", true, "an Arabic digit"],
  ["in", "12", "१२", true, "Hindi digits"],
  ["contains_word", "۴۲", "table 42", true, "Persian digits in the rule"],
  ["contains_word", "2", "٢٣", false, "of which each is part of the number"],
  // compatibility forms, such as full width
  ["equals", "ね〜", "ね～", true, "a wave, by keyboard"],
  ["equals", "hello", "ＨＥＬＬＯ", true, "full width"],
  ["contains_word", "返金", "ﾍﾙﾌﾟ 返金", true, "half width beside it"],
  ["equals", "ヘルプ", "ﾍﾙﾌﾟ", true, "half width kana with its mark apart"],
  ["equals", "123", "１２３", true, "full-width digits"],
  ["contains", "sale", "𝓢𝓐𝓛𝓔", true, "letters made for formulas"],
  ["contains", "free", "ⓕⓡⓔⓔ", true, "letters in circles"],
  ["equals", "x2", "x²", true, "a raised digit"],
  ["contains", "...", "well…", true, "an ellipsis"],
  ["equals", "tm", "™", true, "a sign of two letters"],
  // combining marks
  ["equals", "café", "cafe\u0301", true, "an accent of its own"],
  ["equals", "cafe\u0301", "CAFÉ", true, "in the rule, too"],
  ["equals", "cafe", "café", false, "but it is an accent"],
  ["contains_word", "cafe", "cafe\u0301", false, "a mark belongs to its letter"],
  ["contains_word", "की", "चाबी की चाबी", true, "a vowel sign is part of the word"],
  ["contains_word", "क", "की", false, "so the letter alone is none"],
  ["equals", "việt nam", "VIÊ\u0323T NAM", true, "two marks in any order"],
  ["equals", "ё", "е\u0308", true, "composed in Cyrillic, too"],
  // quotes and hyphens
  ["contains", "don't", "I don’t know", true, "the quote that phones write"],
  ["contains", "don’t", "I don't know", true, "in the rule, too"],
  ["contains_word", "what's", "What´s up", true, "the accent beside the Enter key"],
  ["contains", '"refund"', "“refund”", true, "curly double quotes"],
  ["equals", '"hi"', "„hi‟", true, "low ones"],
  ["contains_word", "e-mail", "my e‑mail", true, "a hyphen that does not break"],
  ["contains", "9-17", "9–17", true, "a dash between numbers"],
  ["contains", "-5", "−5", true, "a minus"],
  ["contains", "a--b", "a—b", false, "a dash is one hyphen, not two"],
  ["matches", "don.t", "DON’T", true, "patterns see the same text"],
  ["matches", "don’t", "don't", true, "and are read like it"],
  ["matches", "[‘’]", "it's", true, "also between brackets"],
  ["matches", "[0-9]–[0-9]", "9-5", true, "a dash in a pattern is a hyphen"],
  // invisible characters
  ["equals", "refund", "re\u200bfund", true, "a zero-width space"],
  ["equals", "refund", "\ufeffrefund", true, "a byte order mark"],
  ["contains_word", "refund", "re\u00adfund", true, "a soft hyphen"],
  ["equals", "shalom", "\u200fshalom\u200e", true, "marks of direction"],
  ["contains", "scam", "s\u202ec\u202ca\u2066m\u2069", true, "overrides and isolates"],
  ["equals", "می‌خواهم", "میخواهم", true, "a non-joiner in Persian"],
  ["contains_word", "bad", "b\u2060a\u034fd", true, "a word joiner, a grapheme joiner"],
  ["equals", "hi", "hi\u180e", true, "a vowel separator"],
  ["matches", "^refund$", "re\u200bfund", true, "for patterns, too"],
  // kinds of white space
  ["contains_word", "money back", "money \n  back", true, "a run of it is one space"],
  ["contains_word", "money back", "money\u00a0back", true, "a space that does not break"],
  ["contains", "a b", "a\u3000b", true, "an ideographic space"],
  ["equals", "stop", " Stop\n", true, "none around what is compared whole"],
  ["starts_with", "stop", "\u2003stop it", true, "nor at the start"],
  ["ends_with", "please", "now please ", true, "nor at the end"],
  ["matches", "a b", "a\tb", true, "for patterns, too"],
  ["contains_word", "opening  time", "Opening time?", true, "in the rule, too"],
  // ends of words
  ["contains_word", "cat", "cat's", true, "an apostrophe ends one"],
  ["contains_word", "cat", "cat_food", false, "a low line joins"],
  ["contains_word", "cat", "cat5", false, "a digit goes on"],
  ["contains_word", "c++", "c++.", true, "a sign may be its end"],
  ["contains_word", "#sale", "#sale!", true, "or its start"],
  ["contains_word", "über", "darüber", false, "letters outside ASCII are letters"],
  ["contains_word", "ber", "über", false, "on either side"],
  ["contains_word", "да", "дача", false, "Cyrillic has spaces"],
  ["contains_word", "환불", "환불!", true, "so has Korean"],
  ["contains_word", "환불", "환불을", false, "where endings are part of the word"],
  // scripts without spaces between words
  ["contains_word", "退款", "我要退款吗", true, "Chinese"],
  ["contains_word", "返金", "返金してください", true, "Japanese"],
  [
    "contains_word",
    "営業時間",
    "営業時間は何時ですか",
    true,
    "a word that the segmenter takes for two",
  ],
  ["contains_word", "京都", "東京都", false, "the end of one and the start of the next are none"],
  ["contains_word", "เงิน", "ขอคืนเงินหน่อย", true, "Thai"],
  ["contains_word", "คืนเงิน", "ขอคืนเงินหน่อย", true, "a word of two"],
  ["contains_word", "งิน", "ขอคืนเงินหน่อย", false, "a part of one"],
  ["contains_word", "คำแนะนำ", "ขอคำแนะนำหน่อย", true, "words with the vowel am"],
  ["contains_word", "ทำ", "ต้องการทำรายการ", true, "at their end"],
  ["equals", "น้ำ", "น\u0e4d\u0e49\u0e32", true, "with the tone mark inside the vowel"],
  ["equals", "ນ້ຳ", "ນ\u0ecd\u0ec9\u0eb2", true, "in Lao, too"],
  ["matches", "น้ำ|xyz", "น\u0e4d\u0e49\u0e32แข็ง", true, "in a pattern"],
  ["contains_word", "รถ", "สามารถ", false, "the end of a longer word is none"],
  ["contains_word", "ប្រាក់", "ខ្ញុំចង់បានប្រាក់វិញ", true, "Khmer"],
  ["contains_word", "ເງິນ", "ຂ້ອຍຢາກໄດ້ເງິນຄືນ", true, "Lao"],
  ["contains_word", "refund", "refund返金", true, "where the script changes"],
  ["contains_word", "5", "5元", true, "after a number"],
  // emoji
  ["contains_word", "👍", "great👍", true, "a picture needs no space"],
  ["contains", "❤", "I ❤️ it", true, "in colour or not"],
  ["equals", "❤️", "❤", true, "in the rule, too"],
  ["contains_word", "👍", "👍🏽", true, "in any colour of skin"],
  ["contains_word", "👩", "👩‍👩‍👧", false, "a family is not a woman"],
  ["contains_word", "👧", "👩‍👩‍👧", false, "nor a girl"],
  ["contains_word", "👩‍👩‍👧", "my 👩‍👩‍👧!", true, "it is a family"],
  ["contains_word", "👩‍❤️‍👩", "👩‍❤‍👩", true, "with or without what chooses its looks"],
  ["matches", "👩‍👩‍👧", "👩‍👩‍👧", true, "for patterns, too"],
  ["equals", "👍", "👍🏽", true, "in any colour of skin, as a whole text"],
  ["equals", "👍🏿", "👍", true, "whichever colour the rule has"],
  ["in", "👍🏿", "👍🏽", true, "in a list"],
  ["equals", "🏽", "🏿", false, "a colour alone is what it is"],
  ["equals", "👩🏽‍🚀", "👩🏿‍🚀", true, "of somebody with a profession"],
  ["equals", "👩‍🚀", "👩", false, "who is more than a woman"],
  ["equals", "🇩🇪", "🇩🇰", false, "a flag is a flag"],
  ["contains_word", "🇪🇩", "🇩🇪🇩🇪", false, "the halves of two flags are none"],
  ["equals", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", false, "and a flag of a part of a country"],
  ["contains_word", "🏴", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", false, "which is not a black one"],
  ["starts_with", "👍🏽", "👍🏿 yes", true, "at the start, too"],
  // blanks at the ends of a text
  ["starts_with", "hi ", "hire me", false, "a blank behind it counts"],
  ["starts_with", "hi ", "Hi  there", true, "so a word is meant"],
  ["starts_with", "hi ", "hi", false, "and something behind that"],
  ["starts_with", " hi", "  hi", true, "none stands before a text"],
  ["ends_with", " ok", "book", false, "a blank before it counts"],
  ["ends_with", " ok", "it's OK ", true, "none stands behind a text"],
  ["ends_with", "ok ", "it's ok", true, "so none is sought there"],
  // dotted and dotless letters
  ["contains_word", "sik", "çok sık", true, "one letter for words"],
  ["matches", "\\bsik\\b", "çok sık", false, "two for patterns"],
  ["matches", "\\bs[ıI]k\\b", "çok SIK", true, "which may have both"],
  // classes of letters, digits and words in patterns
  ["matches", "\\bпривет\\b", "ну привет всем", true, "a word of Cyrillic letters"],
  ["matches", "\\bпривет\\b", "Привет!", true, "at the beginning, before a sign"],
  ["matches", "\\bпривет\\b", "приветствие", false, "a part of a word"],
  ["matches", "^(?:\\bα|β)γ\\b$", "αγ", true, "a boundary within a group"],
  ["matches", "\\bber\\b", "über", false, "a letter with dots is a letter"],
  ["matches", "\\Bber\\b", "über", true, "so no word begins behind it"],
  ["matches", "\\bça\\s+va\\b", "et ça va?", true, "a letter of another alphabet begins a word"],
  ["matches", "\\b(?:да|нет)\\b[.!]?$", "ну да!", true, "alternatives"],
  ["matches", "^\\b\\w+\\b$", "naïve_7", true, "a word is letters, digits and low lines"],
  ["matches", "x\\b_", "é x_", false, "a low line is part of a word"],
  ["matches", "0_\\b", "é 0_ 0", true, "also behind a digit"],
  ["matches", "^\\w+$", "Grüße", true, "letters of every script"],
  ["matches", "^\\W+$", "Grüße", false, "so they are not something else"],
  ["matches", "^[\\w.]+$", "é.ж", true, "in a class"],
  ["matches", "^[^\\W\\d_]+$", "жук", true, "in a class of what is left"],
  ["matches", "^[^\\W\\d_]+$", "жук7", false, "which has no digits"],
  ["matches", "^[^\\w]$", "é", false, "in a class of all others"],
  ["matches", "^[\\W5]+$", "¡5", true, "beside another member"],
  ["matches", "^\\d{3}$", "٣٤٥", true, "digits of every script"],
  ["matches", "^\\D+$", "٣", false, "so they are nothing else"],
  ["matches", "^[[:alpha:]]+$", "жё", true, "classes by name"],
  ["matches", "^[[:^digit:]]+$", "٣", false, "and what they leave"],
  ["matches", "(?-i:\\w)é", "Жé", true, "with flags of its own"],
  ["matches", "\\Q\\w\\E", "é \\w", true, "what is quoted is not a class"],
  ["matches", "\\\\w", "é \\w", true, "nor is what is escaped"],
];

function holds(operator: string, operand: string, text: string, cased = false): boolean {
  const evaluation = new Evaluation(messageReceived(), 0);
  const value = operator === "in" ? [operand] : operand;
  const { tests, faults } = compileMatcher("text", { [operator]: value, cased });
  expect(faults).toEqual([]);
  return tests.every(({ test: passes }) => passes(text, evaluation));
}

describe("comparison of texts", () => {
  test.each(ROWS)("%s %j of %j is %s: %s", (operator, operand, text, expected) => {
    expect(holds(operator, operand, text)).toBe(expected);
  });

  test.each([
    ["equals", "Straße", "strasse"],
    ["contains", "don't", "don’t"],
    ["contains_word", "refund", "re\u200bfund"],
    ["matches", "a b", "a\tb"],
    ["matches", "stop", "STOP"],
    ["matches", "^\\bж\\w$", "ЖУ"],
  ])("is exact with cased: true: %s %j of %j is false", (operator, operand, text) => {
    expect(holds(operator, operand, text)).toBe(true);
    expect(holds(operator, operand, text, true)).toBe(false);
  });

  it("folds each text in one step", () => {
    for (const text of everyCharacter()) expect(fold(fold(text))).toBe(fold(text));
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
        expect(fold(tidy(text))).toBe(fold(text));
      }),
    );
  });

  it("folds the capital and the small form of each letter to the same text", () => {
    for (const text of everyCharacter()) {
      expect(fold(text.toUpperCase())).toBe(fold(text));
      // lower case character by character: for a whole word, JavaScript writes the last sigma as a final small sigma
      expect(fold(Array.from(text, (one) => one.toLowerCase()).join(""))).toBe(fold(text));
    }
  });
});

/** All characters of the first three planes, separated, some hundred in a text. */
function* everyCharacter(): Generator<string> {
  for (let first = 0; first < 0x30000; first += 0x100) {
    if (first >= 0xd800 && first < 0xe000) continue;
    const points = Array.from({ length: 0x100 }, (_, index) => first + index);
    yield points.map((point) => String.fromCodePoint(point)).join(" . ");
  }
}
