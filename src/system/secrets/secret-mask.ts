/** Known secrets, and methods to remove them from shown text. */
export interface SecretMask {
  /**
   * Registers a secret to be removed, including its JSON and URL-encoded forms. Ignores values of fewer than eight
   * characters, which would match many unrelated texts.
   */
  readonly hide: (value: string | undefined) => void;
  /** Returns `text` without the secrets. */
  readonly text: (text: string) => string;
  /**
   * Returns a JSON log line without the secrets. Also removes values after `Bearer`, `token=` and the like, and values
   * of fields with names such as `password`, at any depth.
   */
  readonly line: (line: string) => string;
}

const REDACTED = "[Redacted]";
const SHORTEST = 8;

/** Creates a mask without secrets. */
export function secretMask(): SecretMask {
  const values = new Set<string>();
  // Longer secrets are replaced first: replacing a shorter secret inside a longer one would leave the rest visible.
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

/** Removes the values of fields with a secret's name. Parses a line only if a cheap search finds such a field. */
function withoutNamed(line: string): string {
  if (!FIELD.test(line)) return line;
  const masked = JSON.stringify(JSON.parse(line), (name, value: unknown) =>
    ENDS_IN_NAME.test(name) && isTelling(value) ? REDACTED : value,
  );
  return line.endsWith("\n") ? `${masked}\n` : masked;
}

/** Whether a field's value may be a secret; numbers (of tokens) and booleans are not. */
function isTelling(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}
