// undici without fetch, WebSocket, caches and mocks. This is a third of undici, so a
// process makes its first request sooner (docs/benchmarks.md, `npm run bench:load`). Dispatchers have all of undici's methods,
// because its proxy agents call methods that our packages do not.
import api from "undici/lib/api/index.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";

Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, EnvHttpProxyAgent, Pool, ProxyAgent };
