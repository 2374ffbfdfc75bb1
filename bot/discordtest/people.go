package discordtest

// Person is one of the people of the stand-in.
type Person struct{ ID, Username, DisplayName string }

// People lists everybody but the bot, in the order in which they came.
func (d *Discord) People() []Person {
	d.mu.Lock()
	defer d.mu.Unlock()
	var people []Person
	for _, u := range d.world.Users {
		if !u.Bot {
			people = append(people, Person{ID: u.ID, Username: u.Username, DisplayName: u.GlobalName})
		}
	}
	return people
}
