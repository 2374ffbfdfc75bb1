import { client, keyed, read } from './client'

/** Saves the language of the page and of the bot's messages to the user. */
export const saveLanguage = (language: string, key: string) =>
  read(client.PUT('/api/me/language', { params: keyed(key), body: { language } }))
