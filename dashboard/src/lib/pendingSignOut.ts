// A sign-out that has not reached the server yet. It is stored in this browser until it has: the
// user stays signed out even after a reload, although the page cannot delete the cookie.
import { remember, remembered } from './storage'

const key = 'tradepost.sign-out-owed'

export const markSignOutPending = () => remember(key, '1')

export const clearPendingSignOut = () => remember(key, null)

export const isSignOutPending = () => remembered(key) !== null
