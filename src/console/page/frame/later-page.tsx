import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PageProps } from "../page-props.ts";

/** A page that is seldom opened: its program is loaded when it is. */
export function laterPage(
  load: () => Promise<{ readonly Page: ComponentType<PageProps> }>,
): ComponentType<PageProps> {
  return function Later(props: PageProps) {
    const [loaded, keep] = useState<{ readonly Page: ComponentType<PageProps> }>();
    useEffect(() => void load().then(keep), []);
    return loaded === undefined ? null : <loaded.Page {...props} />;
  };
}
