// Loads all of the page before its tests. Files of this project share what is loaded; code that one asks for and that comes after
// it has ended may never come, and the next file to ask for it would wait for good.
import.meta.glob(['../**/*.tsx', '!../**/*.test.tsx', '!../main.tsx'], { eager: true })
