import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import { CALLBACK_URLS_PER_APP } from "../../../../protocol/limits.ts";
import { callbackFault } from "../../../../sandbox/model/callback.ts";
import type { App } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Empty } from "../../parts/states.tsx";
import type { AppPartProps } from "./portal-parts.ts";

/** Shows the app's callback URLs for log-ins, and why an entered URL is invalid. */
export function Callbacks({ app, mayChange, onChanged }: AppPartProps) {
  const urls = app.callback_urls;
  const save = async (callback_urls: readonly string[], done: string): Promise<void> => {
    await notify(sandbox.patch<App>(`/apps/${app.app_id}`, { callback_urls }), () => done);
    onChanged();
  };
  return (
    <>
      {urls.length === 0 && <Empty>No callback URL yet: people can log in only with a PIN.</Empty>}
      <ul class="portal-keys">
        {urls.map((one) => {
          const wrong = callbackFault(one);
          return (
            <li key={one} class="card row">
              <Chip tone={wrong === undefined ? "good" : "bad"}>
                {wrong === undefined ? "valid" : "refused"}
              </Chip>
              <code>{one}</code>
              {wrong !== undefined && <span>{wrong}</span>}
              <button
                type="button"
                class="danger"
                aria-label={`Remove ${one}`}
                disabled={!mayChange}
                onClick={() =>
                  void save(
                    urls.filter((other) => other !== one),
                    "Removed.",
                  )
                }
              >
                Remove
              </button>
            </li>
          );
        })}
      </ul>
      <AddCallback
        urls={urls}
        mayChange={mayChange}
        add={(url) => save([...urls, url], "Added.")}
      />
    </>
  );
}

interface AddCallbackProps {
  readonly urls: readonly string[];
  readonly mayChange: boolean;
  readonly add: (url: string) => Promise<void>;
}

function AddCallback({ urls, mayChange, add }: AddCallbackProps) {
  const [url, setUrl] = useState("");
  const fault = url === "" ? undefined : refusalOf(url, urls);
  return (
    <Form onSubmit={() => void add(url).then(() => setUrl(""))}>
      <div class="row">
        <label>
          Try this URL{" "}
          <input
            value={url}
            size={40}
            spellcheck={false}
            placeholder="https://bot.example/callback"
            aria-describedby="callback-says"
            aria-invalid={fault !== undefined}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        </label>
        <button type="submit" class="go" disabled={!mayChange || url === "" || fault !== undefined}>
          Add
        </button>
      </div>
      <p id="callback-says" role="status" class={fault === undefined ? "soft" : "notice bad"}>
        {fault ??
          (url === ""
            ? `${urls.length} of ${CALLBACK_URLS_PER_APP} are used.`
            : "The platform takes this address.")}
      </p>
    </Form>
  );
}

function refusalOf(url: string, urls: readonly string[]): string | undefined {
  const fault = callbackFault(url);
  if (fault !== undefined) return fault;
  if (urls.includes(url)) return "The app has this address already.";
  if (urls.length < CALLBACK_URLS_PER_APP) return undefined;
  return `An app has at most ${CALLBACK_URLS_PER_APP}: remove one first.`;
}
