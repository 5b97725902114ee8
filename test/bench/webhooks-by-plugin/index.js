const devid = require("@devid/pulumi/plugin");

const edited = Number(process.env.BENCH_EDITED ?? -1);
for (let n = 0; n < Number(process.env.BENCH_WEBHOOKS); n++)
  new devid.Webhook(`hook-${n}`, {
    url: `https://hooks.example/${n}`,
    description: n === edited ? "edited" : `Hook ${n}`,
  });
