/** A query of version 1.1, translated to the operators of version 2, with the days that bound its results. */
export interface NewerQuery {
  readonly query: string;
  /** Beginning of the first day, in UTC, as milliseconds since the Unix epoch. */
  readonly since?: number;
  /** Beginning of the day after the last day, in UTC, as milliseconds since the Unix epoch. */
  readonly until?: number;
}

/** Operators of version 2 for the values of `filter:` and `exclude:`. */
const FILTERS: Readonly<Record<string, string>> = {
  retweets: "is:retweet",
  nativeretweets: "is:retweet",
  replies: "is:reply",
  quote: "is:quote",
  verified: "is:verified",
  links: "has:links",
  hashtags: "has:hashtags",
  mentions: "has:mentions",
  media: "has:media",
  images: "has:images",
  twimg: "has:images",
  videos: "has:videos",
  native_video: "has:videos",
};

const OPERATOR = /(^|[\s(])(-?)(filter|exclude|since|until):([^\s()]+)/gi;

/**
 * Translates `filter:`, `exclude:`, `since:` and `until:`; quoted text stays unchanged.
 *
 * @returns `undefined` for an unknown filter or an invalid day.
 */
export function inNewerOperators(query: string): NewerQuery | undefined {
  const days = new Map<string, number>();
  let isKnown = true;
  const newer = (_: string, before: string, not: string, name: string, value: string): string => {
    const word = name.toLowerCase();
    if (word === "since" || word === "until") {
      const at = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
      isKnown &&= !Number.isNaN(at) && not === "";
      days.set(word, at);
      return before;
    }
    const flag = FILTERS[value.toLowerCase()];
    isKnown &&= flag !== undefined;
    return `${before}${(not === "-") === (word === "exclude") ? "" : "-"}${flag}`;
  };
  const parts = query
    .split(/("[^"]*")/)
    .map((part) => (part.startsWith('"') ? part : part.replace(OPERATOR, newer)));
  if (!isKnown) return undefined;
  const [since, until] = [days.get("since"), days.get("until")];
  return {
    query: parts.join("").trim(),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}
