import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

interface Order {
  readonly customer: string;
  readonly state: string;
  readonly cents: number;
}

const ORDERS: Readonly<Record<string, Order>> = {
  A10001: { customer: "ana", state: "shipped", cents: 2_400 },
  A10002: { customer: "ana", state: "packed", cents: 8_900 },
  B20001: { customer: "ben", state: "delivered", cents: 1_200 },
};

/** Stand-in for the shop's own service. */
export interface ShopService {
  readonly url: string;
  /** Numbers of the refunded orders, in the order of the payments. */
  readonly refunds: readonly string[];
  /** Number of requests that looked an order up. */
  readonly lookUps: number;
  /** Sets whether the service leaves requests unanswered. It still executes them, such as a refund. */
  hangs(isHanging: boolean): void;
  /** Resolves at the next request. */
  requested(): Promise<void>;
  /** Forgets all refunds and look-ups. */
  reset(): void;
  close(): void;
}

/** Starts the service on a port of this machine; 0 takes a free one. */
export async function startShop(port: number): Promise<ShopService> {
  const payments = new Map<string, string>();
  let lookUps = 0;
  let isHanging = false;
  const server = createServer((request, response) => {
    const [, number = "", refund] = /^\/orders\/(\w+)(\/refund)?$/.exec(request.url ?? "") ?? [];
    const order = Object.hasOwn(ORDERS, number) ? ORDERS[number] : undefined;
    if (refund === undefined) lookUps += 1;
    // The same idempotency key pays once.
    else if (order !== undefined) payments.set(String(request.headers["idempotency-key"]), number);
    server.emit("requested");
    if (isHanging) return;
    const isRefunded = [...payments.values()].includes(number);
    response.writeHead(order === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...order, ...(isRefunded && { state: "refunded" }) }));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get refunds() {
      return [...payments.values()];
    },
    get lookUps() {
      return lookUps;
    },
    hangs(hanging) {
      isHanging = hanging;
    },
    async requested() {
      await once(server, "requested");
    },
    reset() {
      payments.clear();
      lookUps = 0;
      isHanging = false;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startShop(8_092);
  console.log(`orders of @ana and @ben are at ${url}/orders/A10001`);
}
