/** A person's input on a sign-in page of the platform: a username and the decision about the app. */
export interface Visit {
  readonly username: string;
  readonly decision: "allow" | "deny";
}

/** Submits a sign-in page as a person. Returns the address of the redirect, or the page that shows the PIN. */
export async function decide(
  url: string,
  visit: Visit,
): Promise<{ location: string; page: string }> {
  const shown = await fetch(url, { redirect: "manual" });
  const text = await shown.text();
  const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const fields = new URLSearchParams();
  for (const [tag] of text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1] ?? "";
    fields.set(name, /value="([^"]*)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? "");
  }
  fields.set("username", visit.username);
  fields.set("password", "password");
  fields.set("decision", visit.decision);
  const cookies = shown.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const answer = await fetch(new URL(action, url), {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie: cookies.join("; "),
      origin: new URL(url).origin,
    },
    body: fields.toString(),
  });
  return { location: answer.headers.get("location") ?? "", page: await answer.text() };
}
