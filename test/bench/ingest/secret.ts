/** Signs the benchmark's deliveries. */
export const SECRET = "bench-consumer-secret";
