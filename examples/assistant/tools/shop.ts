import * as z from "zod";

const { SHOP_URL: url = "http://127.0.0.1:8092" } = process.env;
/** Time limit of a request to the shop. A handler has 30 seconds, and requests to the model may take 20 of them. */
const TIMEOUT_MS = 4_000;

const order = z.object({
  customer: z.string(),
  state: z.string(),
  cents: z.number(),
});

/** Error of a request to the shop's service. */
export class ShopError extends Error {
  override readonly name = "ShopError";
  /** Whether the shop may have executed the request, although it did not confirm that. */
  readonly mayBeDone: boolean;

  constructor(message: string, mayBeDone: boolean) {
    super(message);
    this.mayBeDone = mayBeDone;
  }
}

/**
 * Returns an order of a customer; undefined if there is none, or if it belongs to someone else.
 *
 * @throws {ShopError} if the shop does not answer.
 */
export async function orderOf(
  customer: string | undefined,
  number: string,
): Promise<z.infer<typeof order> | undefined> {
  const response = await request(`/orders/${encodeURIComponent(number)}`, {}).catch(() => {
    throw new ShopError("the shop does not answer", false);
  });
  if (response.status === 404) return undefined;
  const parsed = order.safeParse(response.ok ? response.body : undefined);
  if (!parsed.success) throw new ShopError(`the shop answers with ${response.status}`, false);
  return parsed.data.customer === customer ? parsed.data : undefined;
}

/**
 * Pays an order back.
 *
 * @param key Idempotency key: the shop pays once for each.
 * @throws {ShopError} unless the shop has confirmed the refund.
 */
export async function refund(number: string, reason: string, key: string): Promise<void> {
  const response = await request(`/orders/${encodeURIComponent(number)}/refund`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ reason }),
  }).catch(() => {
    throw new ShopError(`the shop did not confirm the refund of ${number}`, true);
  });
  if (response.ok) return;
  const mayBeDone = response.status >= 500;
  throw new ShopError(`the shop answers the refund with ${response.status}`, mayBeDone);
}

/** Sends a request to the shop. The time limit includes reading the whole answer. */
async function request(path: string, init: RequestInit) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${url}${path}`, { ...init, signal });
  const text = await response.text();
  const { ok, status } = response;
  return { ok, status, body: ok ? (JSON.parse(text) as unknown) : undefined };
}
