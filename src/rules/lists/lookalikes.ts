/**
 * Letters that look like a Latin letter, by that Latin letter. Small letters and capitals have separate entries.
 *
 * Fullwidth, mathematical and other compatibility forms are absent: NFKC converts them to plain letters.
 *
 * @see Source: the pairs of single letters in Unicode's confusables,
 * https://www.unicode.org/Public/security/latest/confusables.txt
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: "аɑα⍺ᴀ",
  b: "ЬьƄᏏᖯʙвɓ",
  c: "сϲᴄⲥ",
  d: "ԁᏧᑯɗđ",
  e: "еҽєεɛᴇ℮",
  f: "ϝꞙẝғƒ",
  g: "ɡᶃցɢ",
  h: "һհᏂнʜ",
  i: "іɩιıɪӏꙇӀ",
  j: "јϳյʝᴊ",
  k: "кκᴋⲕƙ",
  l: "ⅼןŀłʟ",
  m: "мᴍⅿ",
  n: "ոռпηɴ",
  o: "оοσօᴏσ๐ơ",
  p: "рρϱ⍴ⲣᴘ",
  q: "ԛգզ",
  r: "гᴦⲅʀꭇ",
  s: "ѕƽꜱʂ",
  t: "тτᴛ",
  u: "υսᴜʋ",
  v: "νѵᴠⅴ∨",
  w: "ԝшѡɯᴡաω",
  x: "хχ×ⅹ",
  y: "уγʏүყ",
  z: "ᴢʐƶ",
  A: "АΑᎪᗅꓮ",
  B: "ВΒᏴᗷꓐ",
  C: "СϹᏟꓚⲤ",
  D: "Ꭰᗞꓓ",
  E: "ЕΕᎬꓰ⋿",
  F: "Ϝᖴꓝ",
  G: "ԌᏀꓖ",
  H: "НΗᎻᕼꓧⲎ",
  I: "ІΙꓲ",
  J: "ЈᎫꓙͿ",
  K: "КΚᏦꓗⲔ",
  L: "Ꮮᒪꓡ",
  M: "МΜᎷꓟϺⲘ",
  N: "ΝꓠⲚ",
  O: "ОΟՕꓳⲞ",
  P: "РΡᏢᑭꓑⲢ",
  Q: "Ԛⵕ",
  R: "ᎡᏒꓣƦ",
  S: "ЅՏᏕꓢ",
  T: "ТΤᎢꓔⲦ",
  U: "Սᑌꓴ",
  V: "ѴᏙꓦ",
  W: "ԜᎳꓪ",
  X: "ХΧꓫⲬ",
  Y: "УΥҮꓬⲨ",
  Z: "ΖᏃꓜ",
};

const LATIN = new Map(
  Object.entries(LOOKALIKES).flatMap(([latin, others]) =>
    Array.from(others, (other): [string, string] => [other, latin]),
  ),
);

const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /\p{M}+/gu;

/** Replaces letters that look like Latin ones, and removes accents: `раypаl` becomes `paypal`. For comparisons only. */
export function withoutLookalikes(text: string): string {
  if (ASCII.test(text)) return text;
  const bare = text.normalize("NFKD").replaceAll(ACCENTS, "");
  let plain = "";
  for (const letter of bare) plain += LATIN.get(letter) ?? letter;
  return plain;
}
