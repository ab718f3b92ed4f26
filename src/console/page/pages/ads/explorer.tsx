import { useState } from "preact/hooks";
import type { AdsRecord, ShownEngagement } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { platformNow } from "../../parts/clock.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { Choice } from "../../parts/choice.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { Weighed } from "./weighed.tsx";
import { counted } from "../../../../text/counted.ts";

interface ExplorerProps {
  readonly engagements: readonly AdsRecord[];
  readonly conversions: readonly AdsRecord[];
}

const LONGEST_DAYS = 30;

/**
 * Shows to which click or view a conversion is attributed, and why not to the other ones. A person can change the
 * attribution windows.
 */
export function Explorer({ engagements, conversions }: ExplorerProps) {
  const [clickDays, setClickDays] = useState(14);
  const [viewDays, setViewDays] = useState(1);
  const [chosen, choose] = useState<string>();
  const [at] = useState(() => platformNow.value);
  const pairs = new Map(
    engagements.map((one) => [
      pairOf(one),
      { device: String(one["hashedDeviceId"]), app: String(one["appStoreIdentifier"]) },
    ]),
  );
  const latest = conversions.findLast((one) => pairs.has(pairOf(one)));
  const key = chosen ?? (latest && pairOf(latest)) ?? [...pairs.keys()].at(-1);
  const pair = key === undefined ? undefined : pairs.get(key);
  const conversion = conversions.findLast((one) => pairOf(one) === key);
  const time =
    typeof conversion?.["conversionTime"] === "string"
      ? Date.parse(conversion["conversionTime"])
      : at;
  const answer = useAsked(
    async (signal) => {
      if (pair === undefined) return [];
      const query = new URLSearchParams({
        hashed_device_id: pair.device,
        app_store_identifier: pair.app,
        time: new Date(time).toISOString(),
        click_window: String(clickDays),
        view_through_window: String(viewDays),
      });
      const path = `/ads/attribution?${query.toString()}`;
      return (await sandbox.get<{ engagements: readonly ShownEngagement[] }>(path, signal))
        .engagements;
    },
    [key, clickDays, viewDays, time, engagements.length],
  );
  if (key === undefined || pair === undefined) {
    return <Empty>No advertisement was seen or clicked yet. Create a view or a click below.</Empty>;
  }
  return (
    <section class="card" aria-label="Attribution explorer">
      <h2>Attribution of a conversion</h2>
      <div class="row">
        <Choice label="Device and app" value={key} options={[...pairs.keys()]} onChange={choose} />
        <Window name="Clicks count for" days={clickDays} change={setClickDays} />
        <Window name="Views count for" days={viewDays} change={setViewDays} />
      </div>
      <p>
        {conversion === undefined ? "A conversion now would be at " : "The conversion was at "}
        <Time at={time} withDate />.
      </p>
      <Shown answer={answer}>{(weighed) => <Weighed weighed={weighed} conversion={time} />}</Shown>
    </section>
  );
}

/** Returns the device and the app of an engagement or conversion, by which the two are matched. */
function pairOf(one: AdsRecord): string {
  return `${String(one["hashedDeviceId"])}, app ${String(one["appStoreIdentifier"] ?? one["appId"])}`;
}

interface WindowProps {
  readonly name: string;
  readonly days: number;
  readonly change: (days: number) => void;
}

function Window({ name, days, change }: WindowProps) {
  return (
    <label>
      {name} {counted(days, "day")}{" "}
      <input
        type="range"
        min="0"
        max={LONGEST_DAYS}
        value={days}
        aria-valuetext={counted(days, "day")}
        onInput={({ currentTarget }) => change(Number(currentTarget.value))}
      />
    </label>
  );
}
