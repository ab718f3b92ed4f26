/** HTTP methods of routes; `HEAD` is served by the route of `GET`. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
