import { client, keyed, read } from './client'

/** Saves the language of the page and of the bot's messages to the user. */
export const saveLanguage = (language: string, key: string) =>
  // typed once openapi.json has it
  read(client.PUT('/api/me/language' as never, { params: keyed(key), body: { language } } as never))
