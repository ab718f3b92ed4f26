import type { Listen } from "../../config/settings.ts";

/** Programs that can forward requests for a public https address to this machine. */
export const PROXIES = ["caddy", "nginx", "cloudflared", "ngrok"] as const;

export type Proxy = (typeof PROXIES)[number];

/** Situation in which each program is a good choice. */
export const PROXY_HINTS: Readonly<Record<Proxy, string>> = {
  caddy: "a server with a public address; gets its certificate by itself",
  nginx: "a server that has nginx already",
  cloudflared: "a machine without a public address, and a domain at Cloudflare",
  ngrok: "a machine without a public address, to try it",
};

/** The public address and the bot's local address. */
interface PublicWay {
  /** Public URL of the webhook, the setting `webhook.url`. */
  readonly url: string;
  /** Local address of the bot, the setting `webhook.listen`. */
  readonly listen: Listen;
}

/** Instructions that forward the webhook's public address to the bot: a file and the commands that use it. */
export function proxyRecipe(proxy: Proxy, { url, listen }: PublicWay): string {
  const { hostname: host, pathname: path } = new URL(url);
  return RECIPES[proxy]({ host, path, to: `${listen.host}:${listen.port}`, port: listen.port });
}

interface Place {
  readonly host: string;
  readonly path: string;
  /** Local address of the bot, as `host:port`. */
  readonly to: string;
  readonly port: number;
}

const RECIPES: Readonly<Record<Proxy, (place: Place) => string>> = {
  caddy: ({ host, path, to }) => `# /etc/caddy/Caddyfile, then: systemctl reload caddy
${host} {
	handle ${path} {
		reverse_proxy ${to} {
			# a request waits while the bot starts, or goes to another receiver
			lb_try_duration 5s
		}
	}
	respond 404
}
`,
  nginx: ({ host, path, to }) => `# first the certificate: certbot certonly --nginx -d ${host}
# /etc/nginx/conf.d/${host}.conf, then: nginx -t && systemctl reload nginx
server {
    listen 443 ssl;
    server_name ${host};
    ssl_certificate /etc/letsencrypt/live/${host}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/${host}/privkey.pem;
    client_max_body_size 4m;

    location = ${path} {
        proxy_pass http://${to};
    }
    location / {
        return 404;
    }
}
`,
  cloudflared: ({ host, path, to }) => `# once: cloudflared tunnel login
#       cloudflared tunnel create bot
#       cloudflared tunnel route dns bot ${host}
# ~/.cloudflared/config.yml, then: cloudflared tunnel run bot
tunnel: bot
credentials-file: /home/you/.cloudflared/TUNNEL-ID.json
ingress:
  - hostname: ${host}
    path: ^${path.replaceAll(".", String.raw`\.`)}$
    service: http://${to}
  - service: http_status:404
`,
  ngrok: ({ host, port }) => `# once: ngrok config add-authtoken YOUR-TOKEN
ngrok http ${port} --url https://${host}
`,
};
