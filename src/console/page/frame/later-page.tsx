import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PageProps } from "../page-props.ts";

interface LoadedPage {
  readonly Page: ComponentType<PageProps>;
}

/** Loads a seldom opened page when it is opened, and says so where its program can't be loaded. */
export function laterPage(load: () => Promise<LoadedPage>): ComponentType<PageProps> {
  return function Later(props: PageProps) {
    const [loaded, keep] = useState<LoadedPage>();
    const [fault, tell] = useState<string>();
    useEffect(() => void load().then(keep, (error: unknown) => tell(String(error))), []);
    if (loaded !== undefined) return <loaded.Page {...props} />;
    if (fault === undefined) return null;
    return (
      <main id="main" tabIndex={-1}>
        <h1>This page could not be loaded</h1>
        <p role="alert">{fault}. Load it again once the bot runs.</p>
      </main>
    );
  };
}
