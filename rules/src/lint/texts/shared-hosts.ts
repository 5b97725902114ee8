/**
 * Hosts under which anybody can have a host of their own: public suffixes, and hosts
 * of providers (Public Suffix List, both of its parts; only those that teams use most).
 */
export const SHARED_HOSTS: ReadonlySet<string> = new Set(
  [
    `com net org io dev app ai co me info xyz de fr nl eu us ch at it es pl be
    se ca in jp cloud online site shop store tech co.uk org.uk com.au co.jp
    com.br co.in co.nz co.za com.mx com.tr co.kr com.cn`,
    // Hosts of pages and of programs.
    `vercel.app vercel.dev netlify.app pages.dev workers.dev github.io
    gitlab.io herokuapp.com web.app firebaseapp.com run.app a.run.app
    appspot.com cloudfunctions.net r2.dev azurewebsites.net
    azurestaticapps.net azureedge.net fly.dev azurecontainerapps.io
    cloudapp.azure.com blob.core.windows.net amazonaws.com s3.amazonaws.com
    cloudfront.net awsapprunner.com amplifyapp.com elasticbeanstalk.com
    ondigitalocean.app onrender.com up.railway.app deno.dev surge.sh koyeb.app
    render.com northflank.app streamlit.app hf.space pythonanywhere.com
    glitch.me replit.app repl.co replit.dev lovable.app lovableproject.com
    bolt.host base44.app`,
    // Tunnels and machines of developers.
    `ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev
    trycloudflare.com loca.lt lhr.life serveo.net localto.net app.github.dev
    githubpreview.dev gitpod.io csb.app stackblitz.io webcontainer.io
    devtunnels.ms`,
    // Makers of sites.
    `blogspot.com wordpress.com wixsite.com myshopify.com webflow.io framer.app
    framer.website notion.site carrd.co squarespace.com weebly.com tumblr.com
    neocities.org bubbleapps.io softr.app typedream.app super.site`,
  ].flatMap((hosts) => hosts.split(/\s+/)),
);
