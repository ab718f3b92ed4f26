import type { SessionAnswer } from "../../operations/session.ts";
import { pagesWith } from "../../pages.ts";
import { signOut } from "../asking/api.ts";
import type { PageProps } from "../page-props.ts";
import { told } from "./toasts.tsx";

/** The pages that have something to show here. */
export function pagesHere({ hasRuntime: runtime, sandbox }: SessionAnswer) {
  return pagesWith({ runtime, sandbox: sandbox !== undefined, bot: sandbox?.bot !== undefined });
}

/** Links to these pages, and the way out. */
export function Navigation({ current, session }: PageProps & { readonly current: string }) {
  return (
    <nav aria-label="Pages">
      {pagesHere(session).map(({ path, title }) => (
        <a key={path} href={path} aria-current={path === current ? "page" : undefined}>
          {title}
        </a>
      ))}
      <button type="button" class="quiet" onClick={() => void told(signOut())}>
        Sign out
      </button>
    </nav>
  );
}
