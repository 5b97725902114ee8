// What `npm run bench:engine` takes as the floor of dynamic resources: as many
// resources with the same inputs, whose provider makes no call and compares nothing.
const { dynamic } = require("@pulumi/pulumi");

const provider = {
  create: async (inputs) => ({ id: "nothing", outs: inputs }),
  update: async (id, olds, news) => ({ outs: news }),
};

class Nothing extends dynamic.Resource {
  constructor(name, args) {
    super(provider, name, args);
  }
}

const edited = Number(process.env.BENCH_EDITED ?? -1);
for (let n = 0; n < Number(process.env.BENCH_WEBHOOKS); n++)
  new Nothing(`hook-${n}`, {
    url: `https://hooks.example/${n}`,
    description: n === edited ? "edited" : `Hook ${n}`,
  });
