import { type HTMLElement, parse } from "node-html-parser";

/** Page or redirect that a browser without scripts has received. */
export interface View {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Target of a redirect. The browser does not follow redirects. */
  readonly location: URL | undefined;
  readonly text: string;
  readonly dom: HTMLElement;
}

/** Browser with cookies and without scripts: opens pages, fills forms, presses buttons. */
export class Browser {
  readonly cookies = new Map<string, string>();

  open(url: string, init: RequestInit = {}): Promise<View> {
    return this.#go(url, init);
  }

  /**
   * Fills the only form of a page and presses the button whose text contains `label`.
   *
   * @param fields Values by the text of their labels.
   * @param headers Headers that a browser adds, such as `origin`.
   */
  press(
    view: View,
    label: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<View> {
    const form = onlyForm(view);
    const sent = new URLSearchParams();
    for (const input of form.querySelectorAll("input")) {
      sent.set(input.getAttribute("name") ?? "", input.getAttribute("value") ?? "");
    }
    for (const [text, value] of Object.entries(fields)) sent.set(labelled(form, text), value);
    const button = form.querySelectorAll("button").find((one) => one.text.includes(label));
    if (button === undefined) throw new Error(`no button says "${label}"`);
    sent.set(button.getAttribute("name") ?? "", button.getAttribute("value") ?? "");
    return this.#go(new URL(form.getAttribute("action") ?? "", view.url).href, {
      method: (form.getAttribute("method") ?? "get").toUpperCase(),
      body: sent,
      headers,
    });
  }

  async #go(url: string, init: RequestInit): Promise<View> {
    const headers = new Headers(init.headers);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie !== "") headers.set("cookie", cookie);
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split("=");
      this.cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    const text = await answer.text();
    return {
      url,
      status: answer.status,
      headers: answer.headers,
      location: location === null ? undefined : new URL(location, url),
      text,
      dom: parse(text),
    };
  }
}

/** The only form of a page. */
export function onlyForm({ dom, url }: View): HTMLElement {
  const forms = dom.querySelectorAll("form");
  const [form] = forms;
  if (form === undefined || forms.length > 1) throw new Error(`${url} has ${forms.length} forms`);
  return form;
}

/** Name of the input with this label. */
function labelled(form: HTMLElement, text: string): string {
  const label = form.querySelectorAll("label").find((one) => one.text.trim() === text);
  const input = form.querySelector(`#${label?.getAttribute("for") ?? "-"}`);
  const name = input?.getAttribute("name");
  if (name === undefined) throw new Error(`no input is labelled "${text}"`);
  return name;
}
