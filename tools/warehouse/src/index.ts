export { type Chdb, openChdb } from "./chdb.js";
export { TrinoCluster } from "./trino-cluster.js";
