import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Exchange } from "../../parts/exchange.tsx";

interface DetailsProps {
  readonly seq: number;
  readonly startsOpen?: boolean;
  /** What stands there while it is closed. */
  readonly children: ComponentChildren;
}

/** An exchange that is asked for once somebody opens it. */
export function ExchangeDetails({ seq, startsOpen = false, children }: DetailsProps) {
  const [wasOpened, setOpened] = useState(startsOpen);
  return (
    <details open={startsOpen} onToggle={() => setOpened(true)}>
      <summary>{children}</summary>
      {wasOpened && <Exchange seq={seq} showsSignature />}
    </details>
  );
}
