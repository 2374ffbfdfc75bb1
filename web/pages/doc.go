// Package pages serves what people see: the documents and files of the dashboard in the operator's colours,
// and the pictures that a chat shows for a link.
package pages
