export { type Chdb, openChdb } from "./chdb.js";
export { ClickHouseCluster } from "./clickhouse-cluster.js";
export { TrinoCluster } from "./trino-cluster.js";
