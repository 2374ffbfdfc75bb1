// Loads all modules of the page before the tests. Test files of this project share modules; a dynamic import that is still pending
// when its test file ends may never resolve, and the next file that imports the module would time out.
import.meta.glob(['../**/*.tsx', '!../**/*.test.tsx', '!../main.tsx'], { eager: true })
