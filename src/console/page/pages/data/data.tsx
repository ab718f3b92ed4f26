import type { PageProps } from "../../page-props.ts";

export function Page(_props: PageProps) {
  return (
    <main id="main" tabIndex={-1}>
      <h1>Data</h1>
    </main>
  );
}
