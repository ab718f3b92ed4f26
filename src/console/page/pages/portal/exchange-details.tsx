import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Exchange } from "../../parts/exchange.tsx";

interface DetailsProps {
  readonly seq: number;
  readonly startsOpen?: boolean;
  /** Content of the line that is visible while the exchange is folded. */
  readonly children: ComponentChildren;
}

/** Shows an HTTP exchange that can be folded. The exchange is loaded when it is first opened. */
export function ExchangeDetails({ seq, startsOpen = false, children }: DetailsProps) {
  const [wasOpened, setOpened] = useState(startsOpen);
  return (
    <details open={startsOpen} onToggle={() => setOpened(true)}>
      <summary>{children}</summary>
      {wasOpened && <Exchange seq={seq} showsSignature />}
    </details>
  );
}
