/** What whoever runs the site has called it. The server writes it into the head of the page. */
export const site = {
  name: said('application-name') || 'Tradepost',
  tagline: said('tagline') || 'Powered by your own community',
}

function said(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
