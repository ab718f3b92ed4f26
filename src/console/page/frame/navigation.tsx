import { PAGES } from "../../pages.ts";
import type { PageProps } from "../page-props.ts";

/** The pages; those that have nothing to show here are left out. */
export function Navigation({ current, session }: PageProps & { readonly current: string }) {
  const shown = PAGES.filter((page) => {
    const needs = "needs" in page ? page.needs : undefined;
    if (needs === "sandbox") return session.sandbox !== undefined;
    return needs !== "runtime" || session.hasRuntime;
  });
  return (
    <nav aria-label="Pages">
      {shown.map(({ path, title }) => (
        <a key={path} href={path} aria-current={path === current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
