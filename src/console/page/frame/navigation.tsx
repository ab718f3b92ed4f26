import type { SessionAnswer } from "../../operations/session.ts";
import { pagesWith } from "../../pages.ts";
import type { PageProps } from "../page-props.ts";

/** The pages that have something to show here. */
export function pagesHere({ hasRuntime: runtime, sandbox }: SessionAnswer) {
  return pagesWith({ runtime, sandbox: sandbox !== undefined, bot: sandbox?.bot !== undefined });
}

/** Links to them; the others are left out. */
export function Navigation({ current, session }: PageProps & { readonly current: string }) {
  return (
    <nav aria-label="Pages">
      {pagesHere(session).map(({ path, title }) => (
        <a key={path} href={path} aria-current={path === current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
