import { createServer } from "node:http";

/** The shop's own service, for trying the rules: what it knows of orders, by their numbers. */
const ORDERS = {
  A12345: { state: "on its way", eta: "on Friday" },
  B20000: { state: "packed", eta: "next week" },
};
const { ORDERS_PORT: port = "8091", ORDERS_TOKEN: token = "secret" } = process.env;

const service = createServer((request, response) => {
  const [, number] = /^\/v2\/orders\/(\w+)$/.exec(request.url ?? "") ?? [];
  const order = Object.hasOwn(ORDERS, number ?? "") ? ORDERS[number] : undefined;
  const isAllowed = request.headers.authorization === `Bearer ${token}`;
  const status = isAllowed ? (order === undefined ? 404 : 200) : 401;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(isAllowed ? (order ?? {}) : { error: "no such token" }));
});

service.listen(Number(port), "127.0.0.1", () => {
  console.log(`orders are at http://127.0.0.1:${service.address().port}/v2/orders/A12345`);
});
