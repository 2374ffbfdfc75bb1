/** What whoever runs the site has called it. The server writes it into the head of the page. */
export const site = {
  name: said('application-name') || 'Tradepost',
  tagline: said('tagline') || 'Powered by your own community',
  /** Stands above the board; empty for nothing. */
  welcome: said('welcome'),
  /** Address of the host's own picture; empty for ours. */
  logo: said('logo'),
}

/** What the head of the page says under a name; empty for nothing. */
export function said(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
