/**
 * Replaces each character of the passwords in a text by a star, so that the text can be shown: in URLs, and in pairs such
 * as `host=db password=secret`.
 */
export function starPasswords(text: string): string {
  const star = (_: string, before: string, password: string): string =>
    before + "*".repeat(password.length);
  return (
    text
      // up to the last @, because an unencoded password may contain an @
      .replaceAll(/(:\/\/[^:\s/@]*:)([^\s"']+)(?=@)/g, star)
      .replaceAll(/((?:^|[?&;\s"'])(?:password|pwd)\s*=\s*)([^&;\s"']+)/gi, star)
  );
}
