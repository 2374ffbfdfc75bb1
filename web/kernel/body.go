package kernel

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
	"tradepost/core/text"
)

// Messages about invalid bodies.
var (
	msgNoBody    = Message("problem_no_body")
	msgNotJSON   = Message("problem_not_json")
	msgNotObject = Message("problem_not_object")
	msgNotUTF8   = Message("problem_not_utf8")
	MsgCutOff    = Message("problem_cut_off")
	msgWrongType = Message("problem_wrong_type")
	msgEncoded   = Message("problem_encoded")
)

// Sent is a request body. read checks its syntax; core checks its values.
type Sent[T any] struct{ Fields T }

// Schema describes the fields.
func (s *Sent[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[T](), true, "")
}

func (s *Sent[T]) read(body []byte) error { return readFields(body, reflect.ValueOf(&s.Fields).Elem()) }

// change is a field of a partial update. Leaving it out is not the same as setting it to null, which
// empties it.
type change[T any] struct {
	Given bool
	Value T
}

// Schema describes the value.
func (c *change[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[T](), true, "")
}

func (c *change[T]) give() any { c.Given = true; return &c.Value }

func (c change[T]) pointer() *T {
	if !c.Given {
		return nil
	}
	return &c.Value
}

// CheckBody rejects a body with a wrong media type or encoding.
func CheckBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if HasBody(r) {
			if problem := wrongBody(r); problem != nil {
				problem.Write(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func wrongBody(r *http.Request) *Problem {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" &&
		!strings.EqualFold(encoding, "identity") {
		return NewProblem(http.StatusUnsupportedMediaType, msgEncoded)
	}
	if r.ContentLength == 0 {
		return nil
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || params["charset"] != "" &&
		!strings.EqualFold(params["charset"], "utf-8") {
		return NewProblem(http.StatusUnsupportedMediaType, msgWrongType)
	}
	// Whatever is behind this compares letter by letter, and media types are the same in any case (RFC
	// 9110, 8.3.1).
	r.Header.Set("Content-Type", kind)
	return nil
}

// readFields sets the fields of target from one JSON object. It returns a Problem (400) when the body is
// no such object, and an Invalid error that names each field with a value that does not fit.
func readFields(body []byte, target reflect.Value) error {
	if !utf8.Valid(body) {
		return NewProblem(http.StatusBadRequest, msgNotUTF8)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if start, err := dec.Token(); err != nil {
		return malformed(err)
	} else if start != json.Delim('{') {
		return NewProblem(http.StatusBadRequest, msgNotObject)
	}
	var c core.Checks
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return malformed(err)
		}
		name, ok := token.(string)
		if !ok {
			return NewProblem(http.StatusBadRequest, msgNotJSON)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return malformed(err)
		}
		c.That(!seen[name], name, core.NewText("field_repeated"))
		seen[name] = true
		field, info, known := fieldNamed(target, name)
		switch {
		case !known:
			c.That(false, name, core.NewText("field_unknown"))
		case info.Tag.Get("readOnly") == "true":
			// A client may send read-only fields back; they change nothing.
		default:
			wrong := setField(field, value, labelOf(name))
			c.That(wrong.IsZero(), name, wrong)
		}
	}
	if _, err := dec.Token(); err != nil {
		return malformed(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return NewProblem(http.StatusBadRequest, msgNotObject)
	}
	return c.Err()
}

func malformed(err error) *Problem {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return NewProblem(http.StatusBadRequest, MsgCutOff)
	}
	return NewProblem(http.StatusBadRequest, msgNotJSON)
}

func fieldNamed(target reflect.Value, name string) (reflect.Value, reflect.StructField, bool) {
	for _, info := range reflect.VisibleFields(target.Type()) {
		if tag, _, _ := strings.Cut(info.Tag.Get("json"), ","); tag == name && !info.Anonymous {
			return target.FieldByIndex(info.Index), info, true
		}
	}
	return reflect.Value{}, reflect.StructField{}, false
}

// setField sets one field and returns what is wrong with the value, nothing when it is valid. Null empties
// a field.
func setField(field reflect.Value, value json.RawMessage, label pageText) core.Text {
	if c, ok := field.Addr().Interface().(interface{ give() any }); ok {
		field = reflect.ValueOf(c.give()).Elem()
	}
	if string(value) == "null" {
		field.SetZero()
		return core.Text{}
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	if at, isTime := field.Addr().Interface().(*time.Time); isTime {
		return setTime(at, value, label)
	}
	switch field.Kind() {
	case reflect.String:
		return setText(field, value, label)
	case reflect.Int, reflect.Int64:
		return setNumber(field, value, label)
	case reflect.Bool:
		if json.Unmarshal(value, field.Addr().Interface()) != nil {
			return core.NewText("field_not_boolean", "field", label)
		}
		return core.Text{}
	case reflect.Map:
		if json.Unmarshal(value, field.Addr().Interface()) != nil {
			return core.NewText("field_not_object", "field", label)
		}
		return core.Text{}
	case reflect.Slice:
		return setList(field, value, label)
	default:
		panic("web: a body has a field of a kind that cannot be read: " + field.Type().String())
	}
}

// setTime takes RFC 3339.
func setTime(at *time.Time, value json.RawMessage, label pageText) core.Text {
	if json.Unmarshal(value, at) != nil {
		return core.NewText("field_not_time", "field", label)
	}
	return core.Text{}
}

// setList sets a list of objects, texts or numbers. An error in one of them is reported for the list.
func setList(field reflect.Value, value json.RawMessage, label pageText) core.Text {
	var elements []json.RawMessage
	if json.Unmarshal(value, &elements) != nil {
		return core.NewText("field_not_list", "field", label)
	}
	list := reflect.MakeSlice(field.Type(), len(elements), len(elements))
	for i, element := range elements {
		switch list.Index(i).Kind() {
		case reflect.String:
			if wrong := setText(list.Index(i), element, label); !wrong.IsZero() {
				return wrong
			}
			continue
		case reflect.Int, reflect.Int64:
			if wrong := setNumber(list.Index(i), element, label); !wrong.IsZero() {
				return wrong
			}
			continue
		}
		if err := readFields(element, list.Index(i)); err != nil {
			var problem any = pageText(messages[err.Error()])
			if core.KindOf(err) != 0 {
				problem = core.FirstText(err)
			}
			return core.NewText("field_element", "field", label, "problem", problem)
		}
	}
	field.Set(list)
	return core.Text{}
}

func setText(field reflect.Value, value json.RawMessage, label pageText) core.Text {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return core.NewText("field_not_text", "field", label)
	}
	if strings.ContainsRune(text, 0) || hasLoneSurrogate(value) {
		return core.NewText("field_not_character", "field", label)
	}
	field.SetString(text)
	return core.Text{}
}

// setNumber takes whole numbers written plainly: 500, and neither 5e2 nor 500.0. A number that is too large
// for the field becomes the field's largest, so that the core's error can name the limit.
func setNumber(field reflect.Value, value json.RawMessage, label pageText) core.Text {
	digits := strings.TrimPrefix(string(value), "-")
	if strings.Trim(digits, "0123456789") != "" {
		return wholeNumber(label)
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		n, err = math.MaxInt64, nil
		if digits != string(value) {
			n = math.MinInt64
		}
	}
	if err != nil {
		return wholeNumber(label)
	}
	field.SetInt(n)
	return core.Text{}
}

func wholeNumber(label pageText) core.Text { return core.NewText("field_not_number", "field", label) }

// hasLoneSurrogate reports whether a JSON string contains the escape of half a character, which Go would
// replace silently.
func hasLoneSurrogate(quoted []byte) bool {
	high := false // the escape just before was the first half
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			if high {
				return true
			}
			continue
		}
		i++
		if quoted[i] != 'u' {
			if high {
				return true
			}
			continue
		}
		unit, err := strconv.ParseUint(string(quoted[i+1:i+5]), 16, 16)
		if err != nil {
			return true
		}
		i += 4
		isHigh, isLow := 0xd800 <= unit && unit < 0xdc00, 0xdc00 <= unit && unit < 0xe000
		if high != isLow {
			return true
		}
		high = isHigh
	}
	return false
}

// pageText is a part of a message, such as the name of a field: the key of a text of the page, or the name
// itself when it is no key.
type pageText string

// In returns the text in a language.
func (l pageText) In(p text.Printer) string {
	if _, ok := p.Language.Page[string(l)]; !ok {
		return string(l)
	}
	return p.Page(string(l))
}

var labels = map[string]pageText{
	"version":          "problem_field_version",
	"reason":           "lib_reason",
	"userId":           "problem_field_user_id",
	"sellerName":       "lib_your_name",
	"sellerContact":    "common_discord_username",
	"message":          "common_message",
	"quantityOffered":  "common_quantity",
	"replaces":         "problem_field_replaces",
	"answers":          "problem_field_answers",
	"accept":           "common_quantity",
	"id":               "problem_field_id",
	"quantitySold":     "sales_quantity_sold",
	"notes":            "lib_notes",
	"upTo":             "problem_field_up_to",
	"kinds":            "problem_field_kinds",
	"quietFrom":        "problem_field_quiet_from",
	"quietTo":          "problem_field_quiet_to",
	"timeZone":         "problem_field_time_zone",
	"skills":           "problem_field_skills",
	"name":             "problem_field_name",
	"q":                "problem_field_q",
	"forMe":            "orders_for_me",
	"sort":             "orders_sort",
	"view":             "orders_view",
	"scopes":           "problem_field_scopes",
	"url":              "problem_field_url",
	"types":            "problem_field_types",
	"days":             "problem_field_days",
	"stock":            "problem_field_stock",
	"lines":            "problem_field_lines",
	"price":            "problem_field_price",
	"note":             "stock_note",
	"public":           "problem_field_public",
	"level":            "common_level",
	"minPrice":         "problem_field_price",
	"maxPrice":         "problem_field_max_price",
	"limit":            "problem_field_limit",
	"quantity":         "common_quantity",
	"maxPricePerUnit":  "problem_field_max_price_per_unit",
	"levelRequirement": "orders_level_requirement",
	"category":         "common_category",
	"importance":       "common_importance",
	"signedInOnly":     "orders_signed_in_only",
	"noPrograms":       "orders_no_programs",
	"confirmPrice":     "problem_field_confirm_price",
	"standing":         "orders_stands",
	"itemName":         "lib_item_name",
	"description":      "common_description",
	"buyerContact":     "common_discord_username",
	"ign":              "common_in_game_name",
}

func labelOf(field string) pageText { return cmp.Or(labels[field], pageText(field)) }

// HasBody reports whether a request has a body.
func HasBody(r *http.Request) bool {
	return r.ContentLength != 0 && r.Body != nil && r.Body != http.NoBody
}
