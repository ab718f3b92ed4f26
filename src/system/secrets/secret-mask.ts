/** Secrets by value, and a way to cut them out of whatever is shown. */
export interface SecretMask {
  /**
   * Cuts `value` out from now on, also as it looks in JSON and in a URL. A value of fewer than eight characters is left: it would
   * be found in many texts that say something else.
   */
  readonly hide: (value: string | undefined) => void;
  /** `text` without the values. */
  readonly text: (text: string) => string;
  /**
   * One line of a log, as JSON: without the values, without what follows `Bearer`, `token=` and the like, and
   * without the fields that are named as secrets are, at any depth.
   */
  readonly line: (line: string) => string;
}

const REDACTED = "[Redacted]";
const SHORTEST = 8;

/** A mask that knows no value yet. */
export function secretMask(): SecretMask {
  const values = new Set<string>();
  // A secret that contains another is cut out first, so that nothing of it is left.
  let longestFirst: readonly string[] = [];
  const text = (shown: string): string => {
    let masked = shown;
    for (const value of longestFirst) {
      if (masked.includes(value)) masked = masked.replaceAll(value, REDACTED);
    }
    return masked;
  };
  return {
    hide(value) {
      if (value === undefined || value.length < SHORTEST || values.has(value)) return;
      for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]) {
        values.add(form);
      }
      longestFirst = [...values].sort((a, b) => b.length - a.length);
    },
    text,
    line: (line) => withoutNamed(withoutMarked(text(line))),
  };
}

const IN_HEADER = /\b(Bearer|Basic) [\w.~+/%=-]{8,}/g;
const IN_QUERY = /(token|secret|password)=[^&\s"\\,]{8,}/gi;
function withoutMarked(line: string): string {
  return line
    .replaceAll(IN_HEADER, (_, scheme: string) => `${scheme} ${REDACTED}`)
    .replaceAll(IN_QUERY, (_, name: string) => `${name}=${REDACTED}`);
}

const NAME =
  "(?:token|secret|password|passphrase|authorization|cookie|api[_-]?key|private[_-]?key)s?";
const ENDS_IN_NAME = new RegExp(`${NAME}$`, "i");
const FIELD = new RegExp(`${NAME}":`, "i");

/** Reading a line costs more than looking whether there is anything to cut out. */
function withoutNamed(line: string): string {
  if (!FIELD.test(line)) return line;
  const masked = JSON.stringify(JSON.parse(line), (name, value: unknown) =>
    ENDS_IN_NAME.test(name) && isTelling(value) ? REDACTED : value,
  );
  return line.endsWith("\n") ? `${masked}\n` : masked;
}

/** A number of tokens, or whether there is a secret, is no secret. */
function isTelling(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}
