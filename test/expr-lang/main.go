// Command expr-lang evaluates rule expressions with the reference implementation of the
// language. It reads one JSON object a line, {"expression", "request"}, and writes one a
// line: {"value": true} or {"error": "message", "stage": "compile" | "run"}. A line with
// "requests", "rounds" and "passes" is a measurement: the answer is {"ns"}, the median time
// of one evaluation.
//
// The environment is a struct, so that every field has a static type. An IP address and a
// network are interfaces of their own: nothing but "in" and "==" accepts them. The operator
// "in" between the two is an overload, and a network literal is read when the expression is
// compiled.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sort"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"
)

// IP is the type of http.request.ip.
type IP interface{ ip() net.IP }

// Network is what cidr() answers.
type Network interface{ network() *net.IPNet }

type address struct{ value net.IP }
type network struct{ value *net.IPNet }

func (a address) ip() net.IP          { return a.value }
func (n network) network() *net.IPNet { return n.value }

type userAgent struct {
	IsAiBot      bool   `expr:"is_ai_bot"`
	IsCrawlerBot bool   `expr:"is_crawler_bot"`
	String       string `expr:"string"`
}
type request struct {
	Headers map[string][]string `expr:"headers"`
	IP      IP                  `expr:"ip"`
}
type http struct {
	UserAgent userAgent `expr:"user_agent"`
	Request   request   `expr:"request"`
}
type platform struct {
	Name           string `expr:"name"`
	AppPackageName string `expr:"app_package_name"`
	IsAndroid      bool   `expr:"is_android"`
	IsBrowser      bool   `expr:"is_browser"`
	IsIos          bool   `expr:"is_ios"`
	IsUnknown      bool   `expr:"is_unknown"`
}
type sdk struct {
	Platform platform `expr:"platform"`
	Version  string   `expr:"version"`
}
type environment struct {
	HTTP http `expr:"http"`
	SDK  sdk  `expr:"sdk"`
}

type payload struct {
	Headers        map[string][]string `json:"headers"`
	IP             string              `json:"ip"`
	UserAgent      string              `json:"userAgent"`
	SdkPlatform    string              `json:"sdkPlatform"`
	SdkVersion     string              `json:"sdkVersion"`
	AppPackageName string              `json:"appPackageName"`
	IsAiBot        bool                `json:"isAiBot"`
	IsCrawlerBot   bool                `json:"isCrawlerBot"`
}

func environmentOf(p payload) environment {
	var e environment
	e.HTTP.UserAgent = userAgent{p.IsAiBot, p.IsCrawlerBot, p.UserAgent}
	e.HTTP.Request = request{p.Headers, address{net.ParseIP(p.IP)}}
	name := p.SdkPlatform
	isUnknown := name != "android" && name != "js" && name != "ios"
	if isUnknown {
		name = "unknown"
	}
	e.SDK.Version = p.SdkVersion
	e.SDK.Platform = platform{
		Name: name, AppPackageName: p.AppPackageName,
		IsAndroid: name == "android", IsBrowser: name == "js", IsIos: name == "ios",
		IsUnknown: isUnknown,
	}
	return e
}

// networkLiterals notes the first literal argument of cidr() that is no network.
type networkLiterals struct{ err error }

func (v *networkLiterals) Visit(node *ast.Node) {
	if literal, ok := networkLiteral(*node); ok && v.err == nil {
		_, _, v.err = net.ParseCIDR(literal)
	}
}

// networkLiteral answers the argument of a call of cidr() with a literal.
func networkLiteral(node ast.Node) (string, bool) {
	call, ok := node.(*ast.CallNode)
	if !ok || len(call.Arguments) != 1 {
		return "", false
	}
	callee, ok := call.Callee.(*ast.IdentifierNode)
	if !ok || callee.Value != "cidr" {
		return "", false
	}
	literal, ok := call.Arguments[0].(*ast.StringNode)
	if !ok {
		return "", false
	}
	return literal.Value, true
}

// constantNetworks reads each network literal once, when the expression is compiled.
type constantNetworks struct{}

func (constantNetworks) Visit(node *ast.Node) {
	if literal, ok := networkLiteral(*node); ok {
		if _, parsed, err := net.ParseCIDR(literal); err == nil {
			constant := &ast.ConstantNode{Value: network{parsed}}
			constant.SetType((*node).Type())
			*node = constant
		}
	}
}

func compile(expression string, patches ...ast.Visitor) (*vm.Program, error) {
	options := []expr.Option{
		expr.Env(environment{}),
		expr.AsBool(),
		expr.Function("cidr", func(params ...any) (any, error) {
			_, parsed, err := net.ParseCIDR(params[0].(string))
			return network{parsed}, err
		}, new(func(string) Network)),
		expr.Function("ip_in_network", func(params ...any) (any, error) {
			ip := params[0].(IP).ip()
			return ip != nil && params[1].(Network).network().Contains(ip), nil
		}, new(func(IP, Network) bool)),
		expr.Operator("in", "ip_in_network"),
	}
	for _, patch := range patches {
		options = append(options, expr.Patch(patch))
	}
	return expr.Compile(expression, options...)
}

// measure answers the median time of one evaluation of a compiled expression, in
// nanoseconds, over rounds of so many passes over the requests.
func measure(expression string, payloads []payload, rounds, passes int) (float64, error) {
	program, err := compile(expression, constantNetworks{})
	if err != nil {
		return 0, err
	}
	environments := make([]any, len(payloads))
	for i, p := range payloads {
		environments[i] = environmentOf(p)
	}
	var machine vm.VM
	times := make([]float64, rounds)
	for round := range times {
		start := time.Now()
		for pass := 0; pass < passes; pass++ {
			for _, e := range environments {
				_, _ = machine.Run(program, e)
			}
		}
		times[round] = float64(time.Since(start).Nanoseconds()) / float64(passes*len(payloads))
	}
	sort.Float64s(times)
	return times[rounds/2], nil
}

func evaluate(expression string, p payload) (value any, stage string, err error) {
	literals := &networkLiterals{}
	program, err := compile(expression, literals)
	if err == nil {
		err = literals.err
	}
	if err != nil {
		return nil, "compile", err
	}
	value, err = expr.Run(program, environmentOf(p))
	return value, "run", err
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	decoder := json.NewDecoder(lines)
	encoder := json.NewEncoder(out)
	for decoder.More() {
		var question struct {
			Expression string    `json:"expression"`
			Request    payload   `json:"request"`
			Requests   []payload `json:"requests"`
			Rounds     int       `json:"rounds"`
			Passes     int       `json:"passes"`
		}
		if err := decoder.Decode(&question); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		answer := map[string]any{}
		if question.Requests != nil {
			ns, err := measure(question.Expression, question.Requests, question.Rounds, question.Passes)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			answer["ns"] = ns
		} else if value, stage, err := evaluate(question.Expression, question.Request); err != nil {
			answer["error"], answer["stage"] = err.Error(), stage
		} else {
			answer["value"] = value
		}
		if err := encoder.Encode(answer); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
