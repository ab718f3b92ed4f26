import { useLayoutEffect, useRef } from "preact/hooks";
import type { SessionAnswer } from "../../operations/session.ts";
import { pagesWith } from "../../pages.ts";
import { signOut } from "../asking/api.ts";
import type { PageProps } from "../page-props.ts";
import { notify } from "../parts/toasts.tsx";

/** Returns the pages that this console can show. */
export function pagesHere({ hasRuntime: runtime, sandbox }: SessionAnswer) {
  return pagesWith({ runtime, sandbox: sandbox !== undefined, bot: sandbox?.bot !== undefined });
}

/** Links to the pages, and the sign-out button. */
export function Navigation({ current, session }: PageProps & { readonly current: string }) {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (ref.current !== null) showCurrent(ref.current);
  }, [current]);
  return (
    <nav aria-label="Pages" ref={ref}>
      {pagesHere(session).map(({ path, title }) => (
        <a key={path} href={path} aria-current={path === current ? "page" : undefined}>
          {title}
        </a>
      ))}
      <button type="button" class="quiet" onClick={() => void notify(signOut())}>
        Sign out
      </button>
    </nav>
  );
}

/** Scrolls the navigation to the link of the current page, if not all links fit. */
function showCurrent(nav: HTMLElement): void {
  const link = nav.querySelector<HTMLElement>("[aria-current]");
  if (link === null) return;
  const { left: linkLeft, width } = link.getBoundingClientRect();
  const within = linkLeft - nav.getBoundingClientRect().left + nav.scrollLeft;
  nav.scrollLeft = within - (nav.clientWidth - width) / 2;
}
