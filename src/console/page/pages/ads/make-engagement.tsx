import { useState } from "preact/hooks";
import type { AdsRecords } from "../../../../sandbox/control/objects.ts";
import type { SessionAnswer } from "../../../operations/session.ts";
import { sandbox } from "../../asking/api.ts";
import { platformNow } from "../../frame/clock.ts";
import { told } from "../../frame/toasts.tsx";

interface MakeProps {
  readonly records: AdsRecords;
  readonly session: SessionAnswer;
  readonly onMade: () => void;
}

const HOUR_MS = 3_600_000;

/** Has a device see or click an advertisement, by an account that is made where there is none. */
export function MakeEngagement({ records, session, onMade }: MakeProps) {
  const [device, setDevice] = useState("device-1");
  const [app, setApp] = useState("1234567890");
  const [hours, setHours] = useState("2");
  const [type, setType] = useState("CLICK");
  const owner = session.sandbox?.bot?.id;
  const accountOf = async (): Promise<string> => {
    const [known] = records.accounts;
    if (known !== undefined) return known.id;
    const body = { user_id: owner, name: "Advertiser" };
    return (await sandbox.post<{ account_id: string }>("/ads/accounts", body)).account_id;
  };
  const make = async (): Promise<void> => {
    const time = new Date(platformNow.value - Number(hours) * HOUR_MS).toISOString();
    const done = await told(
      accountOf().then((account) =>
        sandbox.post("/ads/engagements", {
          account_id: account,
          hashed_device_id: device,
          app_store_identifier: app,
          type,
          time,
        }),
      ),
      () => `A ${type.toLowerCase()} of ${device} is kept.`,
    );
    if (done !== undefined) onMade();
  };
  return (
    <form
      class="row card"
      aria-label="Make an engagement"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <label>
        A{" "}
        <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
          <option value="CLICK">click</option>
          <option value="VIEW">view</option>
        </select>
      </label>
      <label>
        of device{" "}
        <input value={device} onInput={({ currentTarget }) => setDevice(currentTarget.value)} />
      </label>
      <label>
        for app <input value={app} onInput={({ currentTarget }) => setApp(currentTarget.value)} />
      </label>
      <label>
        hours ago{" "}
        <input
          type="number"
          min="0"
          value={hours}
          onInput={({ currentTarget }) => setHours(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={session.role !== "operator" || owner === undefined}>
        Make it
      </button>
    </form>
  );
}
