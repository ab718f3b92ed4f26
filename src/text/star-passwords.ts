const star = (_: string, before: string, password: string): string =>
  before + "*".repeat(password.length);

/**
 * Replaces each character of the passwords in a text by a star, so that the text can be shown: in URLs, and in pairs such
 * as `host=db password=secret` and `password: secret`. A quote inside of a password does not end it.
 */
export function starPasswords(text: string): string {
  return (
    text
      // up to the last @, because an unencoded password may contain an @
      .replaceAll(/(:\/\/[^:\s/@]*:)((?:[^\s"']|["'](?=[^\s,;:)\]}]))+)(?=@)/g, star)
      .replaceAll(
        // '' is a quote inside of a YAML text in quotes
        /((?:^|[?&;\s"'{,])(?:passw(?:or)?d|pwd)(?:\s*=|\\?["']?\s*:)\s*)(''(?:[^'\\]|\\.)+(?:''|'?$)|'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)|(?:[^&;\s"']|["'](?=[^\s,;:)\]}]))+)/gi,
        star,
      )
  );
}

/**
 * Replaces the password in a text that should be the URL of a database. The scheme may be missing, and the password may
 * contain blanks. Without an end in the text, more than the password is replaced.
 */
export function starPasswordOf(url: string): string {
  return starPasswords(
    url
      .replace(/^((?:[^:]*:\/\/)?[^:]*:(?!\/\/))(.*)(?=@)/s, star)
      .replaceAll(/(;\s*(?:passw(?:or)?d|pwd)\s*=)([^;]*)/gi, star),
  );
}
