// What `npm run bench:engine` takes as the floor of dynamic resources: as many
// resources with the inputs and outputs of a webhook, one of them a secret, whose
// provider makes no call and compares nothing.
const { dynamic } = require("@pulumi/pulumi");

const outputs = {
  createdAt: "2026-11-29T12:00:00.000Z",
  lastEnabledAt: "2026-11-29T12:00:00.000Z",
  legacy: false,
  owner: { claim: "a claim", region: "us", workspace: "a workspace" },
  schemaVersion: 1,
  signingKey: "whsec_MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0",
  status: "enabled",
  verified: false,
};

const provider = {
  create: async (inputs) => ({
    id: "nothing",
    outs: { ...inputs, ...outputs },
  }),
  read: async (id, props) => ({ id, props }),
  update: async (id, olds, news) => ({ outs: { ...olds, ...news } }),
};

class Nothing extends dynamic.Resource {
  constructor(name, args) {
    super(provider, name, args, { additionalSecretOutputs: ["signingKey"] });
  }
}

const edited = Number(process.env.BENCH_EDITED ?? -1);
for (let n = 0; n < Number(process.env.BENCH_WEBHOOKS); n++)
  new Nothing(`hook-${n}`, {
    url: `https://hooks.example/${n}`,
    description: n === edited ? "edited" : `Hook ${n}`,
  });
