require("@pulumi/pulumi");
const {spawn}=require("child_process");const fs=require("fs");
(async()=>{
const s=spawn(process.execPath,["../cli/bin/devid.js","serve","--port","0","--rate-limit","off","--data",":memory:","--json"],{stdio:["ignore","pipe","inherit"]});
const line=await new Promise(r=>s.stdout.once("data",d=>r(JSON.parse(String(d).split("\n")[0]))));
const cfg={"devid:endpoint":line.url,"devid:managementKey":"local-management-us","devid:requestsPerSecond":"100000"};
const h=require("@devid/pulumi/provider").Webhook;
await h.configure({config:{get:k=>cfg[k]}});
const P='exports.handler = () => require("@devid/pulumi/provider").Webhook;';
const one=async i=>{const {inputs}=await h.check({}, {__provider:P,url:`https://hooks.example/${i}`,description:`Hook ${i}`});return h.create({...inputs,__provider:P});};
let c=process.cpuUsage();await one(0);let d=process.cpuUsage(c);console.log("first",(d.user+d.system)/1000);
for(let r=0;r<4;r++){
const {Session}=require("inspector");let ses;
if(r==3&&process.argv[2]){ses=new Session();ses.connect();ses.post("Profiler.enable");ses.post("Profiler.setSamplingInterval",{interval:300});ses.post("Profiler.start");}
c=process.cpuUsage();const N=200;const q=[];for(let i=0;i<N;i++)q.push(one(1000*(r+1)+i));const made=await Promise.all(q);d=process.cpuUsage(c);console.log("create each",((d.user+d.system)/1000/N).toFixed(2));
if(ses)await new Promise(res=>ses.post("Profiler.stop",(e,x)=>{fs.mkdirSync("/tmp/prof4",{recursive:true});fs.writeFileSync("/tmp/prof4/host-1.cpuprofile",JSON.stringify(x.profile));res();}));
c=process.cpuUsage();await Promise.all(made.map(m=>h.delete(m.id,m.outs)));d=process.cpuUsage(c);console.log("delete each",((d.user+d.system)/1000/N).toFixed(2));
}
s.kill();process.exit();})();
