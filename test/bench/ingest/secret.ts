/** Secret that signs the benchmark's deliveries. */
export const SECRET = "bench-consumer-secret";
