import { useQuestion } from "../../asking/use-asked.ts";
import { Exchange } from "../../parts/exchange.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { route, setQuery } from "../../routing/route.ts";

/** Lists the HTTP exchanges that faults affected, newest first. The query parameter `exchange` expands one of them. */
export function FiringLog() {
  const answer = useQuestion("faultsMet", {}, (batch) => batch.sandbox.length > 0);
  const open = Number(route.value.query.get("exchange"));
  return (
    <Shown answer={answer}>
      {(all) =>
        all.length === 0 ? (
          <Empty>Each event or request that a fault affects is listed here, with its trace.</Empty>
        ) : (
          <ol class="faults-log" aria-label="What happened, newest first">
            {all.map(({ exchange, isShown, at, fault, type, what, said, became, trace }) => (
              <li key={exchange}>
                <Time at={at} /> fault {fault}, <strong>{type}</strong>, affected{" "}
                <span class="mono">{what}</span> {said !== undefined && <q>{said}</q>}{" "}
                <span class="soft">{became}</span>{" "}
                {trace !== undefined && <a href={`/traces/${trace}`}>trace {trace}</a>}{" "}
                {isShown && (
                  <button
                    type="button"
                    class="quiet"
                    aria-expanded={open === exchange}
                    onClick={() =>
                      setQuery("exchange", open === exchange ? undefined : String(exchange))
                    }
                  >
                    exchange {exchange}
                  </button>
                )}
                {open === exchange && <Exchange seq={exchange} />}
              </li>
            ))}
          </ol>
        )
      }
    </Shown>
  );
}
