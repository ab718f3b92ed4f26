import { createRequire } from "node:module";

/** Top-level domains of today, by IANA. */
const current: readonly string[] = createRequire(import.meta.url)("tlds");

/** Domains that IANA has withdrawn since 2018, and that the platform still takes for domains. */
const WITHDRAWN = `
  abarth active adac afamilycompany aigo alfaromeo an avianca bananarepublic bentley bl blanco bnl boots bq
  budapest bugatti cancerresearch cartier caseih cbs ceb chloe chrysler cityeats comcast cookingchannel csc
  dabur dodge doha doosan duck dunlop duns eh epost esurance etisalat everbank fiat flsmidth foodnetwork
  frontdoor fujixerox glade goodhands guardian hgtv honeywell hoteles htc iinet intel iselect iveco iwc jcp
  jlc kerrylogistics kinder ladbrokes lancaster lancia lancome liaison linde lipsy lixil loft lupin macys
  maserati mcd mcdonalds meo metlife mf mobily montblanc mopar movistar mtpc mutual mutuelle nadex
  nationwide natura newholland northwesternmutual off oldnavy onion onyourside orientexpress pamperedchef
  panerai passagens piaget pramerica qvc raid redstone rightathome rmit rocher sapo sca scjohnson scor ses
  shaw showtime shriram spiegel spreadbetting srt starhub statoil swiftcover symantec telecity telefonica
  tiffany tp travelchannel uconnect um vista vistaprint volkswagen vuelos warman xfinity xperia zippo
  اتصالات موبايلي 大众汽车 工行 手表 珠宝 诺基亚
`;

/** In lower case. */
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set([
  ...current,
  ...WITHDRAWN.trim().split(/\s+/),
]);

const LONGEST = Math.max(...[...TOP_LEVEL_DOMAINS].map(({ length }) => length));

/** Reserved for documentation and tests by RFC 2606. The sandbox has its pages there, so links with a protocol use them. */
const RESERVED = /^(?:example|test)(?![a-z0-9@+-])/;

/**
 * Length of the longest top-level domain that stands at `at`, in UTF-16 units; 0 if there is none.
 *
 * @param notBefore Characters behind a domain that make it none.
 * @param isFull The link has a protocol.
 */
export function topLevelDomainAt(
  text: string,
  at: number,
  notBefore: RegExp,
  isFull: boolean,
): number {
  const rest = text.slice(at, at + LONGEST + 1).toLowerCase();
  for (let length = Math.min(LONGEST, rest.length); length > 1; length -= 1) {
    if (TOP_LEVEL_DOMAINS.has(rest.slice(0, length)) && !notBefore.test(rest.slice(length))) {
      return length;
    }
  }
  const other = (isFull ? RESERVED.exec(rest) : null) ?? /^xn--[0-9a-z]+(?![0-9a-z@+-])/.exec(rest);
  return other?.[0].length ?? 0;
}
