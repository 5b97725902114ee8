// What `npm run bench:engine` compares devid with: the smallest dynamic provider
// that creates, reads, compares, updates and deletes webhooks. It has no retry, no
// throttle and no check, and keeps its key and the signing keys in plain state.
const { dynamic } = require("@pulumi/pulumi");

const address = `${process.env.DEVID_ENDPOINT}/management/webhooks`;
const key = process.env.DEVID_MANAGEMENT_KEY;

async function call(method, path, body) {
  const answer = await fetch(address + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "x-api-version": "2025-11-20",
    },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return method === "DELETE" ? undefined : (await answer.json()).data;
}

const provider = {
  async create({ url, description }) {
    const made = await call("POST", "", { url, description });
    return {
      id: made.id,
      outs: { url, description, signingKey: made.signing_key },
    };
  },
  async read(id, props) {
    const { url, description } = await call("GET", `/${id}`);
    return { id, props: { ...props, url, description } };
  },
  async diff(id, olds, news) {
    const { url, description } = news;
    return { changes: olds.url !== url || olds.description !== description };
  },
  async update(id, olds, { url, description }) {
    await call("PATCH", `/${id}`, { url, description });
    return { outs: { ...olds, url, description } };
  },
  async delete(id) {
    await call("DELETE", `/${id}`);
  },
};

class Webhook extends dynamic.Resource {
  constructor(name, args) {
    super(provider, name, { signingKey: undefined, ...args });
  }
}

const edited = Number(process.env.BENCH_EDITED ?? -1);
for (let n = 0; n < Number(process.env.BENCH_WEBHOOKS); n++)
  new Webhook(`hook-${n}`, {
    url: `https://hooks.example/${n}`,
    description: n === edited ? "edited" : `Hook ${n}`,
  });
