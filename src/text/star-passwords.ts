/** Replaces each character of the passwords in a text's URLs by a star, so that the text can be shown. */
export function starPasswords(text: string): string {
  const star = (_: string, before: string, password: string): string =>
    before + "*".repeat(password.length);
  return (
    text
      // up to the last @, because an unencoded password may contain an @
      .replaceAll(/(:\/\/[^:\s/@]*:)([^\s"']+)(?=@)/g, star)
      .replaceAll(/([?&]password=)([^&\s"']+)/g, star)
  );
}
